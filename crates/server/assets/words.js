// Every word on the page, in Russian and in English.

const RU = {
  subtitle: "окончания русских шашек по всем правилам о ничьей",
  skip: "К оценке позиции", other: "English", variant: "Игра", rules: "Правила", board: "Доска", game: "Партия", line: "Лучшая игра",
  boardHelp: "Стрелки ведут по чёрным полям. Ввод выбирает шашку и поле. В расстановке ввод ставит шашку, Delete снимает.",
  takeBack: "Ход назад", again: "Ход вперёд", flip: "Повернуть", swap: "Обменять цвета", mirrorMain: "Отразить в диагонали a1–h8", mirrorOther: "Отразить в диагонали a8–h1", share: "Ссылка", setUp: "Расставить",
  palette: "Чем ставить", toMove: "Ход", white: "белых", black: "чёрных", clear: "Очистить", show: "Показать", verdict: "Оценка",
  moves: "Ходы", counters: "Счёт ходов", showLine: "Показать", first: "В начало", previous: "Назад", play: "Проигрывать",
  pause: "Пауза", next: "Дальше", last: "В конец", slice: "Соотношение сил", metrics: "показатели",
  keys: "Клавиши: ← → — ход назад и вперёд (вне доски), F — повернуть доску, E — расстановка.",
  erase: "Снять", W: "белая простая", WK: "белая дамка", B: "чёрная простая", BK: "чёрная дамка", emptySquare: "пусто",
  White: "Белые", Black: "Чёрные", russian: "русские шашки", giveaway: "поддавки",
  official: "официальные", "official-won-position": "официальные, большак по выигранной позиции", fmjd64: "FMJD-64", classic: "старый кодекс", none: "без правил о ничьей",
  ratio: "полуходов без изменения сил", kings: "полуходов одними дамками", road: "ходов при дамке на большаке",
  ratioArticle: "1.9.1.3, .4", kingsArticle: "1.9.1.6", roadArticle: "1.9.1.5",
  busy: "Смотрим в таблицы…", noMoves: "Ходов нет: партия окончена.", noMovesKnown: "Без таблиц ходы не оценить.",
  needsTables: (slices) => `нет таблицы ${slices}`, unusableTable: (table) => (table ? `таблица ${table} испорчена` : "таблица испорчена"),
  someUnknown: "Ходы в пунктирной рамке не оценены: они ведут к таблицам, которых здесь нет или которые испорчены.",
  linkCopied: "Ссылка скопирована", linkShown: "Ссылка в адресной строке", copied: "Скопировано",
  notInTables: "Этой позиции в таблицах нет", missing: "Не хватает таблиц: ", failed: "Ответа нет", offline: "Сервис не отвечает. Проверьте, что он запущен, и повторите.",
  unreadable: (why) => `Позиция не читается: ${why}`, unknownInLink: (names) => `В ссылке названо неизвестное: ${names}.`,
  badPosition: "Такой позиции не бывает", badCounters: "Такого счёта не бывает", emptyBoard: "Доска пуста. Расставьте шашки или введите FEN.", retry: "Повторить",
  chooseCapture: "Таких взятий несколько: выберите в списке.", played: "Сыграно", noStats: "Таблиц этого соотношения сил здесь нет.",
  positions: "позиций", longestWin: "Самый долгий выигрыш", longestLoss: "Самый долгий проигрыш", turned: "Доска повёрнута",
  coverage: (n) => (n ? `таблицы полны до ${n} шашек` : "полных таблиц ещё нет"),
  value: {
    win: (side) => `${side} выигрывают`, "cursed-win": (side) => `Ничья: ${side.toLowerCase()} не успевают выиграть`, draw: () => "Ничья",
    "blessed-loss": (side) => `Ничья: ${side.toLowerCase()} спасаются`, loss: (side) => `${side} проигрывают`,
  },
  result: { win: "выигрыш", "cursed-win": "ничья (не успеть)", draw: "ничья", "blessed-loss": "ничья (спасение)", loss: "проигрыш" },
  distance: (n, end) => `До ${end ? "конца партии" : "размена, превращения или конца партии"} — ${plies(n)}.`,
  distanceWithout: (n) => `Без правил о ничьей до размена, превращения или конца партии — ${plies(n)}.`,
  cutBy: (article) => `Выигрыш отнимает статья ${article}.`, cutByNothing: "Выигрыш отнимают правила о ничьей.",
  cutByUnknown: "Какая статья отнимает выигрыш, неизвестно: лучшая игра ведёт к таблицам, которых здесь нет или которые испорчены.",
  noWay: "Никто не может выиграть и без правил о ничьей.", overNoMove: (side) => `Партия окончена: хода нет, победили ${side.toLowerCase()}.`,
  overArticle: (article) => `Партия окончена вничью по статье ${article}.`, lineDraw: "Дальше ничья: никто не может выиграть.", lineUnknown: (why) => `Дальше лучшая игра неизвестна. ${why}`, lineOver: "Конец партии.",
  leftPlies: (n) => `${remains(n)} ${plies(n)}`, leftOwn: (n) => `${remains(n)} ${count(n, "ход", "хода", "ходов")} сильнейшей стороны`,
  inPlies: (n) => `${n} п/х`, histogram: (n) => `Сколько позиций с каким расстоянием, до ${plies(n)}`,
  histogramNote: "Позиции по расстоянию в полуходах: вверх выигрыши, вниз проигрыши; высота — логарифм числа.",
  tabs: "Разделы", positionTab: "Позиция", arbiterTab: "Арбитр",
  gameText: "Запись партии", paste: "Вставьте запись: PDN или как она есть в бланке", judge: "Проверить", example: "Пример", file: "или файл:",
  pasteFirst: "Вставьте запись партии, выберите файл или возьмите пример: каждая статья о ничьей будет проверена по всем наборам правил, с доказательством.", noGame: "Партия не выбрана", judging: "Проверяем партию…", notJudged: "Запись не проверена",
  stepping: "По партии", explore: "Изучить позицию", plyChoice: "Полуход", gameChoice: "Партия", ofGames: (n) => `из ${n}`, gameNumber: (n) => `Партия ${n}`,
  resultIs: { "win-white": "записан выигрыш белых", "win-black": "записан выигрыш чёрных", draw: "записана ничья", unfinished: "результат не записан" },
  pliesOf: (n) => plies(n), judgedUpTo: (n) => `Проверено до этого места: ${plies(n)}.`,
  beginning: "Начало", plyIs: (at, of, move) => `Полуход ${at} из ${of}: ${move}`, metHere: "Впервые выполнено", chart: "Счёт ходов по полуходам",
  gaveAway: { win: "Этим ходом упущен выигрыш", draw: "Этим ходом упущена ничья" },
  occurrence: "который раз стоит позиция", bySets: "Оценка и остаток счёта по наборам правил", valueNow: "Оценка", roadNow: "Большак", leftNow: "Осталось",
  unknownValue: "нет в таблицах", beyondTables: "Таблицы этих шашек здесь нет: счёт ходов проверен, оценка неизвестна.",
  firstMet: "После какого полухода выполнено", fitTitle: "Записанный результат", disagree: "Где правила расходятся", readingsTitle: "Толкования там, где текст правил молчит", proofsTitle: "Доказательства",
  needsTable: "нужна таблица, которой здесь нет", notMet: "не выполнено", nothingMet: "Ничего не выполнено.", afterPly: (n) => `после полухода ${n}`, again: (list) => `снова после ${list.includes(",") ? "полуходов" : "полухода"} ${list}`,
  articles: { "1.9.1.1": "соглашение", "1.9.1.2": "никто не может выиграть", "1.9.1.3": "три дамки против одной, 15 ходов", "1.9.1.4": "соотношение сил не меняется",
    "1.9.1.5": "одинокая дамка на большаке, 5 ходов", "1.9.1.6": "15 ходов одними дамками", "1.9.1.7": "трёхкратное повторение" },
  amount: { plies: (n) => plies(n), "own-moves": (n) => count(n, "собственный ход", "собственных хода", "собственных ходов"),
    occurrences: (n) => count(n, "появление", "появления", "появлений"), "equal-blocks": (n) => count(n, "одинаковая серия", "одинаковые серии", "одинаковых серий") },
  fromTo: (from, to, side) => `полуходы ${from}–${to}${side ? `, ходы ${side === "white" ? "белых" : "чёрных"}` : ""}`,
  stood: (list) => `позиция стояла после полуходов ${list}`, eachBlock: "каждая серия",
  review: ({ ply, finding, winner, reason }) => `1.9.1.5, проверка по таблице на полуходе ${ply}: ${{
    won: `выиграно для ${winner === "white" ? "белых" : "чёрных"}: игра продолжается, до изменения соотношения сил правило выполнено`, drawn: "не выиграно, ничья", unknown: `таблицы нет (${reason})` }[finding]}`,
  claimTitle: "Требование ничьей", claimArticle: "Статья", claimSide: "Кто требует", claimPly: "После полухода", claimIntended: "Записан, но не сделан ход",
  claimFlag: "Флаг заявившего", claimRecord: "Полная разборчивая запись предъявлена", decide: "Рассмотреть",
  flagUp: "не падал", flagBefore: "упал до требования", flagDuring: "упал во время проверки",
  offersTitle: "Предложения ничьей (1.9.3–1.9.6)", offerAdd: "Добавить предложение", offerSide: "Кто", offerPly: "После полухода", offerAnswer: "Ответ словами",
  noAnswer: "нет", accepted: "принято", declined: "отклонено", clockStarted: "часы соперника уже шли", conditional: "с условием", remove: "Убрать",
  decision: { upheld: "Принято", refused: "Отклонено", "not-considered": "Не рассматривается без полной записи", "facts-only": "Только факты", "needs-table": "Нужна таблица" },
  consequence: ({ state, by }) => ({ drawn: `ничья по ${by}`, won: `выиграли ${by === "white" ? "белые" : "чёрные"}`, "goes-on": "игра продолжается", undecided: "не решено" })[state],
  reading: "толкование", proof: "Доказательство", lineIs: "Вариант", holding: "Ничью держат", noMoveLeft: "ходов нет",
  worthTitle: "Партия не окончена: чего она стоит", fallenFlag: "Упал флаг", noFlag: "ни у кого", weigh: "Оценить", forSide: (side) => `при ходе ${side === "white" ? "белых" : "чёрных"}`,
  endedBy: ({ by, ply, winner }) => `Партия уже окончена после полухода ${ply}: ${winner ? `выиграли ${winner === "white" ? "белые" : "чёрные"} (1.8.1)` : `ничья по ${by}`}.`,
  flagDecides: (side) => `Решает флаг: выиграли ${side === "white" ? "белые" : "чёрные"} (1.8.1). Оценка — для сведения.`,
  repeating: "Ходы, дающие третье повторение", winNeeds: (side) => `Чтобы выиграть, ${side === "white" ? "белым" : "чёрным"} нужно`, within: "счёт позволяет", beyondCounts: "больше, чем оставляет счёт",
  arbiterKeys: "Клавиши: ← → — по полуходам (вне доски и полей), Home и End — в начало и в конец, F — повернуть доску.",
  wrong: {
    SIDE_TO_MOVE: (text) => `очередь хода пишется W или B, а не «${text}»`,
    LIST_COLOR: (text) => `список шашек начинается с W или B: «${text}»`,
    MISSING_LIST: (side) => `нет списка ${side === "white" ? "белых" : "чёрных"} шашек`,
    LIST_TWICE: (side) => `список ${side === "white" ? "белых" : "чёрных"} шашек дан дважды`,
    OFF_BOARD: (square) => `поля «${square}» на доске нет`, LIGHT_SQUARE: (square) => `поле ${square} светлое`,
    SQUARE_NUMBER: (text) => `«${text}»: номера полей идут от 1 (b8) до 32 (g1)`,
    SQUARE_RANGE: (text) => `«${text}»: меньший номер пишется первым`,
    EMPTY_ITEM: (side) => `в списке ${side === "white" ? "белых" : "чёрных"} шашек пустое место`,
    TRAILING: (text) => `«${text}» — не список шашек и не счётчик, как H0 или F1`,
    SQUARE_TWICE: (square) => `на поле ${square} две шашки`,
    MAN_ON_PROMOTION_RANK: (square) => `простая на поле ${square} стала бы дамкой`,
    TOO_MANY_PIECES: (side) => `${side === "white" ? "у белых" : "у чёрных"} больше 12 шашек`,
    NO_PIECES: () => "доска пуста", TOO_LONG: () => "запись слишком длинна",
    KINGS_ABOVE_RATIO: () => "одними дамками сделано больше полуходов, чем прошло без изменения сил",
    KINGS_BELOW_RATIO: () => "без простых каждый полуход — ход дамкой: эти два счёта равны",
    ROAD_ABOVE_LIMIT: () => "ходов при дамке на большаке не больше 5",
    ROAD_ELSEWHERE: () => "ходы при дамке на большаке считают у трёх против одной дамки на большаке (1.9.1.5)",
    ROAD_ABOVE_OWN_MOVES: () => "ходов при дамке на большаке больше, чем сильнейшая сторона успела сделать",
    NOT_A_COUNT: (text) => `«${text}» — не целое число от 0 до 4294967295`,
  },
  problem: {
    TABLE_DAMAGED: (table) => (table ? `Таблица ${table} испорчена.` : "Нужная таблица испорчена."),
    TABLE_UNUSABLE: (table) => (table ? `Таблицу ${table} не прочесть.` : "Нужную таблицу не прочесть."),
    TOO_MUCH_WORK: () => "Такой ответ требует слишком долгого счёта.", TOO_OFTEN: () => "Слишком много вопросов подряд. Подождите немного.",
    BUSY: () => "Сервис занят.", DEADLINE_EXCEEDED: () => "Сервис не успел ответить.", UNAUTHENTICATED: () => "Сервису нужен токен.",
    INTERNAL: () => "Ошибка в сервисе.", TOO_LARGE: () => "Запрос слишком велик.",
  },
};

const EN = {
  subtitle: "endgames of Russian draughts under all the draw rules",
  skip: "Skip to the verdict", other: "Русский", variant: "Game", rules: "Rules", board: "Board", game: "Game", line: "Best play",
  boardHelp: "Arrow keys move over the dark squares. Enter picks a piece and a square. When setting up, Enter puts a piece and Delete takes it off.",
  takeBack: "Take back", again: "Play again", flip: "Flip", swap: "Swap colours", mirrorMain: "Mirror in the diagonal a1–h8", mirrorOther: "Mirror in the diagonal a8–h1", share: "Link", setUp: "Set up",
  palette: "What to put", toMove: "To move", white: "White", black: "Black", clear: "Clear", show: "Show", verdict: "Verdict",
  moves: "Moves", counters: "Counters", showLine: "Show", first: "To the start", previous: "Back", play: "Play", pause: "Pause",
  next: "On", last: "To the end", slice: "Force ratio", metrics: "metrics",
  keys: "Keys: ← → take back and play again (off the board), F flips the board, E sets up.",
  erase: "Take off", W: "white man", WK: "white king", B: "black man", BK: "black king", emptySquare: "empty",
  White: "White", Black: "Black", russian: "Russian draughts", giveaway: "giveaway",
  official: "official", "official-won-position": "official, main road by won position", fmjd64: "FMJD-64", classic: "older code", none: "no draw rules",
  ratio: "plies with the force ratio unchanged", kings: "plies by kings only", road: "moves with the king on the main road",
  ratioArticle: "1.9.1.3, .4", kingsArticle: "1.9.1.6", roadArticle: "1.9.1.5",
  busy: "Looking it up…", noMoves: "No moves: the game is over.", noMovesKnown: "Without tables the moves cannot be rated.",
  needsTables: (slices) => `no table ${slices}`, unusableTable: (table) => (table ? `damaged table ${table}` : "damaged table"),
  someUnknown: "Moves in dashed frames are not rated: they lead to tables that are missing or damaged.",
  linkCopied: "Link copied", linkShown: "The link is in the address bar", copied: "Copied",
  notInTables: "Not in these tables", missing: "Missing tables: ", failed: "No answer", offline: "The service does not answer. See that it runs, and try again.",
  unreadable: (why) => `The position cannot be read: ${why}`, unknownInLink: (names) => `The link names what is not known: ${names}.`,
  badPosition: "There is no such position", badCounters: "No game leads to these counters", emptyBoard: "The board is empty. Set up pieces or enter a FEN.", retry: "Try again",
  chooseCapture: "More than one capture goes there: choose in the list.", played: "Played", noStats: "There are no tables for this force ratio.",
  positions: "positions", longestWin: "Longest win", longestLoss: "Longest loss", turned: "Board flipped",
  coverage: (n) => (n ? `tables complete up to ${n} pieces` : "no complete tables yet"),
  value: {
    win: (side) => `${side} wins`, "cursed-win": (side) => `Draw: ${side} cannot win in time`, draw: () => "Draw",
    "blessed-loss": (side) => `Draw: ${side} is saved by the rules`, loss: (side) => `${side} loses`,
  },
  result: { win: "win", "cursed-win": "draw (out of time)", draw: "draw", "blessed-loss": "draw (saved)", loss: "loss" },
  distance: (n, end) => `${plies(n)} to ${end ? "the end" : "a capture, a promotion or the end"}.`,
  distanceWithout: (n) => `Without draw rules, ${plies(n)} to a capture, a promotion or the end.`,
  cutBy: (article) => `Article ${article} takes the win away.`, cutByNothing: "The draw rules take the win away.",
  cutByUnknown: "Which article takes the win away is not known: best play leads to tables that are missing or damaged.",
  noWay: "Neither side can force a win, even without draw rules.", overNoMove: (side) => `The game is over: there is no move, ${side} has won.`,
  overArticle: (article) => `The game is drawn by article ${article}.`, lineDraw: "Drawn from here: neither side can force a win.", lineUnknown: (why) => `Best play is not known from here. ${why}`, lineOver: "End of the game.",
  leftPlies: (n) => `${plies(n)} left`, leftOwn: (n) => `${count(n, "own move", "own moves", "own moves")} of the stronger side left`,
  inPlies: (n) => plies(n), histogram: (n) => `How many positions have which distance, up to ${plies(n)}`,
  histogramNote: "Positions by distance in plies: wins up, losses down; heights are logarithms.",
  tabs: "Sections", positionTab: "Position", arbiterTab: "Arbiter",
  gameText: "Game record", paste: "Paste a record: PDN, or as it stands on the score sheet", judge: "Judge", example: "Example", file: "or a file:",
  pasteFirst: "Paste a game record, choose a file or take the example: every article on draws is judged under all rule sets, with proof.", noGame: "No game yet", judging: "Judging the game…", notJudged: "The record was not judged",
  stepping: "Through the game", explore: "Explore this position", plyChoice: "Ply", gameChoice: "Game", ofGames: (n) => `of ${n}`, gameNumber: (n) => `Game ${n}`,
  resultIs: { "win-white": "recorded as won by White", "win-black": "recorded as won by Black", draw: "recorded as drawn", unfinished: "no result recorded" },
  pliesOf: (n) => plies(n), judgedUpTo: (n) => `Judged up to there: ${plies(n)}.`,
  beginning: "The beginning", plyIs: (at, of, move) => `Ply ${at} of ${of}: ${move}`, metHere: "First met here", chart: "The counters by ply",
  gaveAway: { win: "This move gave the win away", draw: "This move gave the draw away" },
  occurrence: "time that the position stands", bySets: "Value and what is left of the counts, by rule set", valueNow: "Value", roadNow: "Road", leftNow: "Left",
  unknownValue: "not in these tables", beyondTables: "There is no table here for these pieces: the counts are judged, the value is unknown.",
  firstMet: "First met after ply", fitTitle: "The recorded result", disagree: "Where the rules disagree", readingsTitle: "Readings, where the text of the rules is silent", proofsTitle: "Proofs",
  needsTable: "needs a table that is not here", notMet: "not met", nothingMet: "Nothing was met.", afterPly: (n) => `after ply ${n}`, again: (list) => `again after ${list.includes(",") ? "plies" : "ply"} ${list}`,
  articles: { "1.9.1.1": "agreement", "1.9.1.2": "neither side can win", "1.9.1.3": "three kings against one, 15 moves", "1.9.1.4": "force ratio unchanged",
    "1.9.1.5": "lone king on the main road, 5 moves", "1.9.1.6": "15 moves by kings only", "1.9.1.7": "third occurrence" },
  amount: { plies: (n) => plies(n), "own-moves": (n) => count(n, "own move", "own moves", "own moves"),
    occurrences: (n) => count(n, "occurrence", "occurrences", "occurrences"), "equal-blocks": (n) => count(n, "equal block", "equal blocks", "equal blocks") },
  fromTo: (from, to, side) => `plies ${from}–${to}${side ? `, moves of ${side === "white" ? "White" : "Black"}` : ""}`,
  stood: (list) => `the position stood after plies ${list}`, eachBlock: "each block",
  review: ({ ply, finding, winner, reason }) => `1.9.1.5, looked up on ply ${ply}: ${{
    won: `won for ${winner === "white" ? "White" : "Black"}: play goes on, and the rule is satisfied until the force ratio changes`, drawn: "not won, a draw", unknown: `there is no table (${reason})` }[finding]}`,
  claimTitle: "Claim of a draw", claimArticle: "Article", claimSide: "Claimant", claimPly: "After ply", claimIntended: "Move written, not played",
  claimFlag: "The claimant's flag", claimRecord: "A full, legible record was presented", decide: "Decide",
  flagUp: "has not fallen", flagBefore: "had fallen before the claim", flagDuring: "fell during the check",
  offersTitle: "Offers of a draw (1.9.3–1.9.6)", offerAdd: "Add an offer", offerSide: "By", offerPly: "After ply", offerAnswer: "Answer in words",
  noAnswer: "none", accepted: "accepted", declined: "declined", clockStarted: "the opponent's clock ran", conditional: "with a condition", remove: "Remove",
  decision: { upheld: "Upheld", refused: "Refused", "not-considered": "Not considered without a full record", "facts-only": "Facts only", "needs-table": "Needs a table" },
  consequence: ({ state, by }) => ({ drawn: `drawn by ${by}`, won: `${by === "white" ? "White" : "Black"} has won`, "goes-on": "the game goes on", undecided: "undecided" })[state],
  reading: "a reading", proof: "Proof", lineIs: "Line", holding: "Moves that hold", noMoveLeft: "no move left",
  worthTitle: "Unfinished: what is it worth", fallenFlag: "Fallen flag", noFlag: "none", weigh: "Weigh", forSide: (side) => `with ${side === "white" ? "White" : "Black"} to move`,
  endedBy: ({ by, ply, winner }) => `The game had ended after ply ${ply}: ${winner ? `${winner === "white" ? "White" : "Black"} has won (1.8.1)` : `drawn by ${by}`}.`,
  flagDecides: (side) => `The flag decides: ${side === "white" ? "White" : "Black"} has won (1.8.1). The value is information.`,
  repeating: "Moves that bring a third occurrence", winNeeds: (side) => `To win, ${side === "white" ? "White" : "Black"} needs`, within: "within the counts", beyondCounts: "more than the counts leave",
  arbiterKeys: "Keys: ← → step through the plies (off the board and the fields), Home and End go to the ends, F flips the board.",
  // What the service says of these is English already.
  wrong: {}, problem: {},
};

const ALL = { ru: RU, en: EN };
let language = "ru";

function form(n, one, few, many) {
  return { one, few }[new Intl.PluralRules(language).select(n)] ?? many;
}

function count(n, one, few, many) {
  return `${n} ${form(n, one, few, many)}`;
}

/** The Russian verb before what is left: its number follows the numeral. */
function remains(n) {
  return form(n, "остался", "осталось", "осталось");
}

function plies(n) {
  return language === "ru" ? count(n, "полуход", "полухода", "полуходов") : count(n, "ply", "plies", "plies");
}

/** The words of the language that is shown. */
export const words = () => ALL[language];
export const currentLanguage = () => language;

/** Shows the page in a language. */
export function speak(name) {
  language = ALL[name] ? name : "ru";
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = words()[element.dataset.word];
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", words()[element.dataset.label]);
    if (element.tagName === "BUTTON") element.title = words()[element.dataset.label];
  }
  document.getElementById("language").textContent = words().other;
}
