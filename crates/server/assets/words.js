// Every word on the page, in Russian and in English.

const RU = {
  subtitle: "окончания русских шашек по всем правилам о ничьей",
  skip: "К оценке позиции", other: "English", variant: "Игра", rules: "Правила", board: "Доска", game: "Партия", line: "Лучшая игра",
  boardHelp: "Стрелки ведут по чёрным полям. Ввод выбирает шашку и поле. В расстановке ввод ставит шашку, Delete снимает.",
  takeBack: "Ход назад", again: "Ход вперёд", flip: "Повернуть", swap: "Обменять цвета", share: "Ссылка", setUp: "Расставить",
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
  linkCopied: "Ссылка скопирована", linkShown: "Ссылка в адресной строке", copied: "Скопировано",
  notInTables: "Этой позиции в таблицах нет", missing: "Не хватает таблиц: ", failed: "Ответа нет", offline: "Сервис не отвечает. Проверьте, что он запущен, и повторите.",
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
  noWay: "Никто не может выиграть и без правил о ничьей.", overNoMove: (side) => `Партия окончена: хода нет, победили ${side.toLowerCase()}.`,
  overArticle: (article) => `Партия окончена вничью по статье ${article}.`, lineDraw: "Дальше ничья: никто не может выиграть.", lineOver: "Конец партии.",
  leftPlies: (n) => `осталось ${plies(n)}`, leftOwn: (n) => `осталось ${count(n, "ход", "хода", "ходов")} сильнейшей стороны`,
  inPlies: (n) => `${n} п/х`, histogram: (n) => `Сколько позиций с каким расстоянием, до ${plies(n)}`,
  histogramNote: "Позиции по расстоянию в полуходах: вверх выигрыши, вниз проигрыши; высота — логарифм числа.",
};

const EN = {
  subtitle: "endgames of Russian draughts under all the draw rules",
  skip: "Skip to the verdict", other: "Русский", variant: "Game", rules: "Rules", board: "Board", game: "Game", line: "Best play",
  boardHelp: "Arrow keys move over the dark squares. Enter picks a piece and a square. When setting up, Enter puts a piece and Delete takes it off.",
  takeBack: "Take back", again: "Play again", flip: "Flip", swap: "Swap colours", share: "Link", setUp: "Set up",
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
  linkCopied: "Link copied", linkShown: "The link is in the address bar", copied: "Copied",
  notInTables: "Not in these tables", missing: "Missing tables: ", failed: "No answer", offline: "The service does not answer. See that it runs, and try again.",
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
  noWay: "Neither side can force a win, even without draw rules.", overNoMove: (side) => `The game is over: there is no move, ${side} has won.`,
  overArticle: (article) => `The game is drawn by article ${article}.`, lineDraw: "Drawn from here: neither side can force a win.", lineOver: "End of the game.",
  leftPlies: (n) => `${plies(n)} left`, leftOwn: (n) => `${count(n, "own move", "own moves", "own moves")} of the stronger side left`,
  inPlies: (n) => `${n} plies`, histogram: (n) => `How many positions have which distance, up to ${plies(n)}`,
  histogramNote: "Positions by distance in plies: wins up, losses down; heights are logarithms.",
};

const ALL = { ru: RU, en: EN };
let language = "ru";

function count(n, one, few, many) {
  const form = new Intl.PluralRules(language).select(n);
  return `${n} ${form === "one" ? one : form === "few" ? few : many}`;
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
