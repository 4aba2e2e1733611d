"""The service over gRPC: the same questions and answers as with `bolshak.Tables`, from tables elsewhere.

```python
from bolshak.client import Client

with Client("127.0.0.1:50051") as client:
    answer = client.probe("W:WKa1,c3:BKh8", ratio=4, kings=2)
    print(answer.value, answer.distance_plies, [move.text for move in answer.moves])
```

Needs the extra `client` of the package. `ratio` and `kings` are plies, `road` the stronger side's own moves, all 0 for a
fresh position; distances are plies. A malformed position, counters that cannot be and unknown names raise `ValueError`; what
the tables do not reach, `bolshak.NotInTables`; a table that cannot be used, `bolshak.UnusableTable`; an answer that takes
more work than the service allows, `bolshak.BudgetExceeded`; everything else, `ServiceError`. Where only some moves lead to
tables that the service has not, there is an answer, and each of those moves says so.

Asking changes nothing, so a call that the service could not take, or that was cut off, is made again by itself until its
time is over. Threads may share a client.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, TypeVar

import grpc
from google.protobuf.field_mask_pb2 import FieldMask
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo
from grpc_status import rpc_status

from bolshak import BudgetExceeded, NotInTables, UnusableTable
from bolshak.v1 import tablebase_pb2 as pb
from bolshak.v1.tablebase_pb2_grpc import TablebaseServiceStub

__all__ = ["Answer", "Client", "Move", "Outcome", "Ply", "Question", "Remaining", "ServiceError"]

Value = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]

_VALUES: dict[int, Value] = {
    pb.VALUE_WIN: "win",
    pb.VALUE_CURSED_WIN: "cursed-win",
    pb.VALUE_DRAW: "draw",
    pb.VALUE_BLESSED_LOSS: "blessed-loss",
    pb.VALUE_LOSS: "loss",
}
# The most states of one ProbeBatch.
_BATCH = 10_000
# A call that was not answered is made again after the first of these, later ones after twice as long each, up to the second.
_FIRST_PAUSE_SECONDS = 0.1
_LAST_PAUSE_SECONDS = 1.0
_OPTIONS = [
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
]


class ServiceError(Exception):
    """The service gave no answer. `code` says why, as gRPC does."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(f"{code.name}: {message}")
        self.code = code


Failure = ValueError | NotInTables | UnusableTable | BudgetExceeded | ServiceError


@dataclass(frozen=True)
class Outcome:
    """A value for the side to move and its distance."""

    value: Value
    distance_plies: int | None
    """Plies to the next change of the force ratio or the end; for cursed and blessed values without draw rules."""


@dataclass(frozen=True)
class Move:
    """A legal move and what it is worth to the side that makes it."""

    text: str
    """As `e3-f4`, `e3:g5`, or the squares where a capture turns when its ends do not suffice."""
    value: Value | None
    """None where it is not known; `unknown` says why."""
    distance_plies: int | None
    """Counts the move."""
    fen_after: str
    ratio_after: int
    kings_after: int
    road_after: int
    unknown: Failure | None = None
    """Why the value is not known: the table that is missing or damaged. A question about the state after the move may fail
    for another reason, or be answered."""


@dataclass(frozen=True)
class Remaining:
    """What is left of a count before it ends the game."""

    article: str
    plies: int | None
    own_moves: int | None
    """The stronger side's, where the article counts those and not plies."""


@dataclass(frozen=True)
class Answer:
    """The exact answer for a state."""

    value: Value
    distance_plies: int | None
    over_by: str | None
    """`no-move` or the article, such as `1.9.1.3`, when the state is over."""
    moves: list[Move]
    """Every legal move, best first, those without a value last; none when the state is over."""
    remaining: list[Remaining]
    """What is left of every count that runs."""
    cut_by: str | None
    """For a cursed win or a blessed loss, the article that takes the win away."""
    history_considered: bool
    warnings: list[str]
    cut_by_unknown: Failure | None = None
    """Why `cut_by` is not known: best play leads to a table that is missing or damaged."""


@dataclass(frozen=True)
class Ply:
    """A state of a line, and the move that led to it, which the first has not."""

    move: str | None
    fen: str
    ratio: int
    kings: int
    road: int
    value: Value
    distance_plies: int | None
    over_by: str | None


@dataclass(frozen=True)
class Question:
    """A question of a stream."""

    fen: str
    ratio: int = 0
    kings: int = 0
    road: int = 0
    rules: str = "official"
    history: Sequence[str] = ()


Answered = TypeVar("Answered")


class Client:
    """Asks a service about one variant.

    `target` is its address, such as `127.0.0.1:50051`. `timeout_seconds` bounds each call, but for streams, which last as
    long as they are read. `token` is what the service wants clients to send, if it does. `credentials` turns TLS on:
    `grpc.ssl_channel_credentials()` trusts the usual authorities.
    """

    def __init__(
        self,
        target: str,
        variant: str = "russian",
        *,
        timeout_seconds: float = 30.0,
        token: str | None = None,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        if credentials is None:
            self.channel = grpc.insecure_channel(target, options=_OPTIONS)
        else:
            self.channel = grpc.secure_channel(target, credentials, options=_OPTIONS)
        self._stub = TablebaseServiceStub(self.channel)
        self._variant = variant
        self._timeout = timeout_seconds
        self._metadata = [("authorization", f"Bearer {token}")] if token else []

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the connection, and the calls on it."""
        self.channel.close()

    def probe(
        self,
        fen: str,
        *,
        ratio: int = 0,
        kings: int = 0,
        road: int = 0,
        rules: str = "official",
        history: Sequence[str] = (),
    ) -> Answer:
        """The exact answer for a state, with every legal move. `history` has the FENs of the game so far (1.9.1.7)."""
        query = self._query(Question(fen, ratio, kings, road, rules, history))
        response: pb.ProbeResponse = self._ask(self._stub.Probe, pb.ProbeRequest(query=query))
        return _answer(response.answer)

    def probe_outcome(
        self, fen: str, *, ratio: int = 0, kings: int = 0, road: int = 0, rules: str = "official"
    ) -> Outcome:
        """The exact value and distance of a state, which is quicker."""
        query = self._query(Question(fen, ratio, kings, road, rules))
        request = pb.ProbeRequest(query=query, answer_mask=FieldMask(paths=["value", "distance_plies"]))
        response: pb.ProbeResponse = self._ask(self._stub.Probe, request)
        return Outcome(_VALUES[response.answer.value], _distance(response.answer))

    def probe_batch(self, fens: Sequence[str], *, rules: str = "official") -> list[Outcome | Failure]:
        """The same for many fresh positions, in their order; the error, not raised, for one that has no answer."""
        outcomes: list[Outcome | Failure] = []
        for start in range(0, len(fens), _BATCH):
            request = pb.ProbeBatchRequest(
                fens=pb.FenColumn(fens=fens[start : start + _BATCH]),
                rule_set=rules,
                variant=self._variant,
                response_mask=FieldMask(paths=["distance_plies"]),
            )
            response: pb.ProbeBatchResponse = self._ask(self._stub.ProbeBatch, request)
            failures = {failure.index: _failure(failure.failure) for failure in response.failures}
            for index, (value, plies) in enumerate(zip(response.values, response.distance_plies, strict=True)):
                outcomes.append(failures.get(index) or Outcome(_VALUES[value], None if value == pb.VALUE_DRAW else plies))
        return outcomes

    def probe_stream(self, questions: Iterable[Question]) -> Iterator[Answer | Failure]:
        """Answers to any number of questions, in their order; the error, not raised, for one that has no answer.

        Questions are taken from the iterable no faster than answers are from the iterator, but for some that are under
        way. A stream that breaks raises `ServiceError` and is not begun again: questions may be asked anew by the caller.
        """
        requests = (pb.ProbeStreamRequest(query=self._query(question)) for question in questions)
        call = self._stub.ProbeStream(requests, metadata=self._metadata, wait_for_ready=True)
        try:
            for response in call:
                yield _answer(response.answer) if response.HasField("answer") else _failure(response.failure)
        except grpc.RpcError as error:
            raise _raised(error) from error
        finally:
            # Whoever stops reading wants no more answers.
            call.cancel()

    def best_moves(
        self,
        fen: str,
        *,
        ratio: int = 0,
        kings: int = 0,
        road: int = 0,
        rules: str = "official",
        history: Sequence[str] = (),
        max_moves: int = 0,
    ) -> list[Move]:
        """The moves that keep the value, best first: all, or at most `max_moves`."""
        query = self._query(Question(fen, ratio, kings, road, rules, history))
        request = pb.BestMovesRequest(query=query, max_moves=max_moves)
        response: pb.BestMovesResponse = self._ask(self._stub.BestMoves, request)
        return [_move(move) for move in response.moves]

    def line(
        self,
        fen: str,
        *,
        ratio: int = 0,
        kings: int = 0,
        road: int = 0,
        rules: str = "official",
        history: Sequence[str] = (),
        max_plies: int = 0,
    ) -> list[Ply]:
        """Best play from a state to its end, or at most `max_plies`; the state itself comes first."""
        query = self._query(Question(fen, ratio, kings, road, rules, history))
        request = pb.LineRequest(query=query, max_plies=max_plies)
        plies: list[pb.LineResponse] = self._ask(lambda *sent, **terms: list(self._stub.Line(*sent, **terms)), request)
        return [
            Ply(
                ply.move or None,
                ply.fen,
                ply.counters.ratio_plies,
                ply.counters.kings_plies,
                ply.counters.road_moves,
                _VALUES[ply.value],
                _distance(ply),
                _over_by(ply),
            )
            for ply in plies
        ]

    def coverage(self) -> pb.VariantCoverage:
        """What can be asked: rule sets, slices, the files of each with their sizes and hashes, what is missing."""
        response: pb.CoverageResponse = self._ask(self._stub.Coverage, pb.CoverageRequest(variant=self._variant))
        return response.variants[0]

    def stats(
        self, slices: Sequence[str] = (), *, rules: str = "official", distances: bool = False
    ) -> list[pb.SliceStats]:
        """How many positions of each slice have which value, of all slices where none is named."""
        request = pb.StatsRequest(slices=slices, rule_set=rules, variant=self._variant, distances=distances)
        response: pb.StatsResponse = self._ask(self._stub.Stats, request)
        return list(response.slices)

    def _query(self, question: Question) -> pb.Query:
        counters = [question.ratio, question.kings, question.road]
        if any(not 0 <= count < 1 << 32 for count in counters):
            raise ValueError(f"counters must be from 0 to {(1 << 32) - 1}: {counters}")
        return pb.Query(
            position=pb.Position(fen=question.fen),
            counters=pb.Counters(ratio_plies=question.ratio, kings_plies=question.kings, road_moves=question.road),
            rule_set=question.rules,
            variant=self._variant,
            history=[pb.Position(fen=fen) for fen in question.history],
        )

    def _ask(self, call: Callable[..., Answered], request: object) -> Answered:
        # gRPC's own retries give up when the service goes away after it has begun to answer.
        until = time.monotonic() + self._timeout
        pause = _FIRST_PAUSE_SECONDS
        while True:
            try:
                left = max(until - time.monotonic(), 0)
                return call(request, timeout=left, metadata=self._metadata, wait_for_ready=True)
            except grpc.RpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE or time.monotonic() + pause > until:
                    raise _raised(error) from error
            time.sleep(pause)
            pause = min(2 * pause, _LAST_PAUSE_SECONDS)


def _distance(message: pb.Answer | pb.RatedMove | pb.LineResponse) -> int | None:
    return message.distance_plies if message.HasField("distance_plies") else None


def _over_by(message: pb.Answer | pb.LineResponse) -> str | None:
    if not message.HasField("over"):
        return None
    return message.over.article or "no-move"


def _move(move: pb.RatedMove) -> Move:
    after = move.counters_after
    counters = (after.ratio_plies, after.kings_plies, after.road_moves)
    unknown = _failure(move.unknown) if move.HasField("unknown") else None
    value = None if unknown else _VALUES[move.value]
    return Move(move.text, value, _distance(move), move.fen_after, *counters, unknown)


def _remaining(remaining: pb.Remaining) -> Remaining:
    in_plies = remaining.HasField("plies")
    plies, own_moves = (remaining.plies, None) if in_plies else (None, remaining.own_moves)
    return Remaining(remaining.article, plies, own_moves)


def _answer(answer: pb.Answer) -> Answer:
    return Answer(
        _VALUES[answer.value],
        _distance(answer),
        _over_by(answer),
        [_move(move) for move in answer.moves],
        [_remaining(remaining) for remaining in answer.remaining],
        answer.cut_by or None,
        answer.history_considered,
        list(answer.warnings),
        _failure(answer.cut_by_unknown) if answer.HasField("cut_by_unknown") else None,
    )


_EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
_BY_CODE: dict[grpc.StatusCode, Callable[[str], Failure]] = {
    grpc.StatusCode.INVALID_ARGUMENT: ValueError,
    grpc.StatusCode.NOT_FOUND: NotInTables,
    grpc.StatusCode.DATA_LOSS: UnusableTable,
    grpc.StatusCode.FAILED_PRECONDITION: UnusableTable,
}


def _by_code(code: grpc.StatusCode, message: str) -> Failure:
    kind = _BY_CODE.get(code)
    return kind(message) if kind else ServiceError(code, message)


def _failure(failure: pb.Failure) -> Failure:
    """Why one state among many has no answer. Only its work can exhaust a resource."""
    code = next(code for code in grpc.StatusCode if code.value[0] == failure.code)
    return BudgetExceeded(failure.message) if code is _EXHAUSTED else _by_code(code, failure.message)


def _raised(error: grpc.RpcError) -> Failure:
    """Why a call has no answer. The details say which of the reasons it is where one code has several."""
    code, message = error.code(), error.details() or ""
    status = rpc_status.from_call(error)
    info, bad = ErrorInfo(), BadRequest()
    for detail in status.details if status else []:
        detail.Unpack(info)
        detail.Unpack(bad)
    if info.domain != "bolshak":
        return ServiceError(code, message)
    if info.reason == "TOO_MUCH_WORK":
        return BudgetExceeded(message)
    if bad.field_violations:
        message = "; ".join(f"{violation.field}: {violation.description}" for violation in bad.field_violations)
    return _by_code(code, message)
