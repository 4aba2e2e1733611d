"""The client of a real service, which the tests start."""

import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from itertools import islice
from pathlib import Path

import grpc
import pytest

import bolshak
from bolshak.client import Client, Question, ServiceError
from bolshak.v1 import arbiter_pb2
from bolshak.v1.arbiter_pb2_grpc import ArbiterServiceStub

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parents[1]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Service:
    """`bolshak serve` on a port of its own."""

    def __init__(self, program, tables, *flags):
        self.address = f"127.0.0.1:{free_port()}"
        self.command = [*program, "serve", "--listen", self.address, "--tables", tables, "--make-pieces", "0", *flags]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, cwd=ROOT, stderr=subprocess.DEVNULL)

    def stop(self, signal_number=signal.SIGTERM):
        self.process.send_signal(signal_number)
        self.process.wait()


@pytest.fixture(scope="module")
def service(program, directory):
    service = Service(program, directory)
    yield service
    service.stop()


@pytest.fixture()
def client(service):
    with Client(service.address) as client:
        yield client


def test_the_service_says_what_the_tables_say(client, directory):
    tables = bolshak.Tables(directory)
    for fen, counters in [
        ("W:WKc1:BKh8", {}),
        ("W:WKc1,Ke1:BKh8", {"ratio": 8, "kings": 8}),
        ("B:WKc1,Ke1:BKh8", {}),
        ("W:WKc1:BKh8", {"ratio": 10, "kings": 10}),
        ("W:WKa1:BKg7", {"history": ["W:WKa1:BKg7"] * 2}),
    ]:
        here, there = tables.probe(fen, **counters), client.probe(fen, **counters)
        assert (there.value, there.distance_plies, there.over_by) == (here.value, here.distance_plies, here.over_by)
        for mine, its in zip(here.moves, there.moves, strict=True):
            names = ["text", "value", "distance_plies", "fen_after", "ratio_after", "kings_after", "road_after"]
            assert [getattr(its, name) for name in names] == [getattr(mine, name) for name in names]


def test_an_answer_tells_of_counts_and_history(client):
    answer = client.probe("W:WKc1:BKh8", ratio=4, kings=4)
    assert [(left.article, left.plies) for left in answer.remaining] == [("1.9.1.4", 6), ("1.9.1.6", 26)]
    repeated = client.probe("W:WKa1:BKg7", history=["W:WKa1:BKg7"] * 2)
    assert (repeated.value, repeated.history_considered, repeated.cut_by) == ("cursed-win", True, "1.9.1.7")
    assert client.probe("W:WКc1:BKh8").warnings != []


def test_outcomes_batches_and_streams_agree(client):
    fens = ["W:WKa1:BKg7", "nonsense", "W:Wa1:BKh8", "W:WKc1:BKh8"]
    won, bad, missing, drawn = client.probe_batch(fens)
    assert (won, drawn) == (client.probe_outcome(fens[0]), client.probe_outcome(fens[3]))
    assert (won.value, won.distance_plies, drawn.value, drawn.distance_plies) == ("win", 1, "draw", None)
    assert isinstance(bad, ValueError) and isinstance(missing, bolshak.NotInTables)
    streamed = list(client.probe_stream(Question(fen) for fen in fens))
    assert (streamed[0], streamed[3]) == (client.probe(fens[0]), client.probe(fens[3]))
    assert isinstance(streamed[1], ValueError) and isinstance(streamed[2], bolshak.NotInTables)
    assert client.probe_batch([]) == []
    assert len(client.probe_batch(["W:WKc1:BKh8"] * 10_001)) == 10_001


def test_a_stream_without_end_is_left(client):
    def endless():
        while True:
            yield Question("W:WKa1:BKg7")

    answers = client.probe_stream(endless())
    assert [answer.value for answer in islice(answers, 1_000)] == ["win"] * 1_000
    answers.close()
    assert client.probe_outcome("W:WKa1:BKg7").value == "win"


def test_bad_questions_raise(client):
    with pytest.raises(ValueError, match=r"query\.position\.fen: .*light square"):
        client.probe("W:WKa2:BKh8")
    with pytest.raises(ValueError, match="greater than ratio"):
        client.probe("W:WKa1:BKh8", kings=1)
    with pytest.raises(ValueError, match="counters must be"):
        client.probe("W:WKa1:BKh8", ratio=-1)
    with pytest.raises(ValueError, match="unknown rule set"):
        client.best_moves("W:WKa1:BKh8", rules="oficial")
    with pytest.raises(bolshak.NotInTables, match="KKKvK"):
        client.probe("W:WKc1,Kc3,Ke1:BKh8")


def test_a_move_into_a_missing_table_says_so(program, directory, tmp_path):
    shutil.copytree(directory, tmp_path / "tables")
    for table in (tmp_path / "tables/russian").glob("KvK.*"):
        table.unlink()
    service = Service(program, tmp_path / "tables")
    try:
        with Client(service.address) as client:
            answer = client.probe("W:WKa1,Kc1:BKh8")
            unknown = [move for move in answer.moves if move.unknown]
            assert (answer.value, answer.distance_plies, answer.moves[0].value) == ("win", 3, "win")
            assert [move.text for move in unknown] == ["a1-b2", "a1-c3", "a1-d4", "a1-e5", "a1-f6", "a1-g7"]
            assert answer.moves[-len(unknown) :] == unknown
            assert all((move.value, move.distance_plies) == (None, None) for move in unknown)
            assert all(isinstance(move.unknown, bolshak.NotInTables) for move in unknown)
            assert "KvK" in str(unknown[0].unknown)
    finally:
        service.stop()


def test_lines_and_best_moves(client):
    line = client.line("W:WKd4,Kc7:BKg1")
    assert (line[0].move, line[0].fen, line[-1].over_by) == (None, "W:WKd4,Kc7:BKg1", "no-move")
    best = client.best_moves("W:WKd4,Kc7:BKg1")
    assert line[1].move == best[0].text and all(move.value == line[0].value for move in best)
    assert client.line("W:WKd4,Kc7:BKg1", max_plies=1) == line[:2]
    assert client.best_moves("W:WKd4,Kc7:BKg1", max_moves=1) == best[:1]


def test_coverage_and_statistics(client):
    slices = {covered.slice: covered for covered in client.coverage().slices}
    assert set(slices) == {"KvK", "KKvK", "KvKK"} and slices["KKvK"].positions == 14_880
    (stats,) = client.stats(["KKvK"], rules="none", distances=True)
    assert (stats.wins, stats.draws, stats.losses) == (5_628, 9_252, 0)
    assert sum(count.positions for count in stats.distances) == stats.wins
    assert len(client.stats()) == 3


def test_the_arbiter_is_on_the_same_channel(client):
    request = arbiter_pb2.VerifyGameRequest(pdn=b'[FEN "W:WKa1:BKh2"]\n1. a1-b2 *')
    assert ArbiterServiceStub(client.channel).VerifyGame(request).verdict.plies == 1


def test_a_token_is_sent(program, directory, tmp_path):
    (tmp_path / "token").write_text("secret")
    service = Service(program, directory, "--token-file", tmp_path / "token")
    try:
        with Client(service.address, token="secret") as client:
            assert client.probe_outcome("W:WKa1:BKg7").value == "win"
        with Client(service.address) as client, pytest.raises(ServiceError) as raised:
            client.probe("W:WKa1:BKg7")
        assert raised.value.code is grpc.StatusCode.UNAUTHENTICATED
    finally:
        service.stop()


def test_a_service_killed_and_started_again_loses_nothing(program, directory):
    service = Service(program, directory)
    stop, values = threading.Event(), []

    def ask():
        with Client(service.address) as client:
            while not stop.is_set():
                values.append(client.probe_outcome("W:WKa1:BKg7").value)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            asked = len(values)
            while len(values) < asked + 100:
                assert all(thread.is_alive() for thread in threads)
                time.sleep(0.01)
            service.stop(signal.SIGKILL)
            service.start()
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        service.stop()
    assert set(values) == {"win"}


def test_a_service_that_is_not_there_is_told():
    with Client(f"127.0.0.1:{free_port()}", timeout_seconds=0.5) as client, pytest.raises(ServiceError) as raised:
        client.probe("W:WKa1:BKg7")
    assert raised.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


def test_the_generated_code_is_fresh(tmp_path):
    protos = ["bolshak/v1/arbiter.proto", "bolshak/v1/tablebase.proto"]
    outputs = [f"--{kind}_out={tmp_path}" for kind in ["python", "pyi", "grpc_python"]]
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I", ROOT / "proto", *outputs, *protos]
    subprocess.run(command, check=True)
    made = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*.py*")}
    kept = {path.relative_to(HERE): path.read_text() for path in (HERE / "bolshak/v1").glob("*_pb2*")}
    assert made == kept, "run the command of python/README.md that makes bolshak/v1"


def test_the_types_hold():
    checked = subprocess.run([sys.executable, "-m", "mypy"], cwd=HERE, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr
