"""Endgame tables of Russian draughts that know the draw rules.

`Tables` answers in-process, from the files of a directory. `bolshak.client.Client` asks a service, in the same words.
"""

from bolshak._tables import Answer, BudgetExceeded, Move, NotInTables, Outcome, Tables, UnusableTable

__all__ = ["Answer", "BudgetExceeded", "Move", "NotInTables", "Outcome", "Tables", "UnusableTable"]
