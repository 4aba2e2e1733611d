"""Endgame tables of Russian draughts that know the draw rules."""

from collections.abc import Sequence
from os import PathLike
from typing import Literal, final

_Value = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]

__all__ = ["Answer", "BudgetExceeded", "Move", "NotInTables", "Outcome", "Tables", "UnusableTable"]

class NotInTables(LookupError):
    """There is no table for the position, or none for one that it can come to; the text names both slices."""

class UnusableTable(OSError):
    """A table is there but cannot be read, is damaged, or was made under another definition of the rules."""

class BudgetExceeded(Exception):
    """The search for an answer went beyond its budget of states."""

@final
class Outcome:
    """A value for the side to move and its distance. Equal when both are."""

    @property
    def value(self) -> _Value: ...
    @property
    def distance_plies(self) -> int | None:
        """Plies to the next change of the force ratio or the end; for cursed and blessed values without draw rules."""
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...

@final
class Move:
    """A legal move and what it is worth to the side that makes it."""

    @property
    def text(self) -> str:
        """As `e3-f4`, `e3:g5`, or the squares where a capture turns when its ends do not suffice."""
    @property
    def value(self) -> _Value: ...
    @property
    def distance_plies(self) -> int | None:
        """Counts the move."""
    @property
    def fen_after(self) -> str: ...
    @property
    def ratio_after(self) -> int: ...
    @property
    def kings_after(self) -> int: ...
    @property
    def road_after(self) -> int: ...

@final
class Answer:
    """The exact answer for a state."""

    @property
    def value(self) -> _Value: ...
    @property
    def distance_plies(self) -> int | None: ...
    @property
    def over_by(self) -> str | None:
        """`no-move` or the article, such as `1.9.1.3`, when the state is over."""
    @property
    def moves(self) -> list[Move]:
        """Every legal move, best first; none when the state is over."""

@final
class Tables:
    """The tables of one variant in a directory. Threads may share it; other threads run while it searches.

    A malformed position, counters that cannot be and unknown names raise `ValueError`. `ratio` and `kings` are plies,
    `road` the stronger side's own moves, all 0 for a fresh position.
    """

    def __new__(cls, directory: str | PathLike[str], variant: str = "russian") -> Tables:
        """Opens no file yet: that there are tables is seen when one is needed, or by `slices`."""
    def probe(
        self,
        fen: str,
        *,
        ratio: int = 0,
        kings: int = 0,
        road: int = 0,
        rules: str = "official",
        history: Sequence[str] = ...,
    ) -> Answer:
        """The exact answer for a state, with every legal move. `history` has the FENs of the game so far (1.9.1.7)."""
    def probe_outcome(
        self, fen: str, *, ratio: int = 0, kings: int = 0, road: int = 0, rules: str = "official"
    ) -> Outcome:
        """The exact value and distance of a state."""
    def probe_resident(
        self, fen: str, *, ratio: int = 0, kings: int = 0, road: int = 0, rules: str = "official"
    ) -> Outcome | None:
        """The same from what is decoded in memory, without reading a file; `None` if that does not suffice."""
    def probe_batch(
        self, fens: Sequence[str], *, rules: str = "official"
    ) -> list[Outcome | ValueError | NotInTables | UnusableTable | BudgetExceeded]:
        """The same for many fresh positions, in their order; the error, not raised, for one that has no answer."""
    def slices(self, *, rules: str = "official") -> list[str]:
        """The slices that have all tables these rules need, in order of solving."""
    def missing(self, slice: str, *, rules: str = "official") -> list[str]:
        """The slices whose tables are missing for every state of a slice to be answered."""
    def reload(self) -> None:
        """Forgets which files are open, so that added and replaced ones are seen."""
