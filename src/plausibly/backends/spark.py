"""The engine for more than one machine: Spark, with the same work and the same statements."""

from __future__ import annotations

import atexit
import os
import pickle
import re
import shutil
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from itertools import islice, takewhile
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, TypeVar

from plausibly.backends.memory import megabytes_of
from plausibly.backends.processes import awaited, guarded
from plausibly.errors import MissingExtra, StudyError
from plausibly.ports import Outcome

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

T = TypeVar("T")
R = TypeVar("R")

LOCAL = "local-cluster[2,1,{memory}]"
MEMORY = 1024
AHEAD = 4
CLUSTER = "spark://"
REACHED_IN = 10
SETTINGS = {
    "spark.app.name": "plausibly",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1",
    "spark.sql.session.timeZone": "UTC",
    "spark.task.maxFailures": "8",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}

_GLOB = re.compile(r"([\[\]{}*?\\])")


class SparkEngine:
    """Runs on a Spark cluster whose machines see the same folders under the same names.

    Args:
        master: `spark` for a cluster of two executors on this machine, or `spark://HOST:PORT`.
        memory: What an executor may hold, such as "2GB"; 1 GB without.
        scratch: Folder for what passes between machines; made when it is needed.
    """

    def __init__(
        self, master: str, *, memory: str | None = None, scratch: Path | None = None
    ) -> None:
        megabytes = MEMORY if memory is None else megabytes_of(memory)
        settings = {**SETTINGS, "spark.executor.memory": f"{megabytes}m"}
        if master == "spark":
            master = LOCAL.format(memory=megabytes)
            settings["spark.executorEnv.PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        self._session = _session(master, settings)
        self._scratch = scratch
        self._statements = 0

    @property
    def name(self) -> str:
        """Return `spark` with its version."""
        return f"spark {self._session.version}"

    def each(self, work: Callable[[T], R], shards: Iterable[T]) -> Iterator[Outcome[R]]:
        """Yield what the work makes of each shard, in any order.

        Shards go out in waves of four per processor, one task each; while a wave is worked on,
        the next is made ready.
        """
        stopped = threading.Event()
        waiting = takewhile(lambda _: not stopped.is_set(), shards)
        size = AHEAD * self._session.sparkContext.defaultParallelism
        with ThreadPoolExecutor(1) as reader:
            try:
                wave = list(islice(waiting, size))
                while wave:
                    following = reader.submit(lambda: list(islice(waiting, size)))
                    yield from self._wave(work, wave)
                    wave = awaited(following)
            finally:
                stopped.set()

    def _wave(self, work: Callable[[T], R], wave: list[T]) -> Iterator[Outcome[R]]:
        context = self._session.sparkContext
        rows = context.parallelize([(pickle.dumps(shard),) for shard in wave], len(wave))
        frame = self._session.createDataFrame(rows, "shard binary")
        done = frame.mapInArrow(_Task(work), "outcome binary")
        for row in _run(done.collect):
            outcome = pickle.loads(row.outcome)  # noqa: S301 - written by our own tasks
            if isinstance(outcome.result, StudyError):
                raise outcome.result
            yield outcome

    def register(self, name: str, files: Sequence[Path]) -> None:
        """Give Parquet files of one schema a name that statements can use."""
        places = [_GLOB.sub(r"\\\1", f"file://{file.resolve()}") for file in files]
        _run(lambda: self._session.read.parquet(*places)).createOrReplaceTempView(name)

    def rows(self, statement: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a statement in their order.

        The executors write them, sorted, into files; so they never have to fit into one machine.
        """
        import pyarrow.parquet as pq

        self._statements += 1
        scratch = self._scratch or Path(mkdtemp(prefix="plausibly-"))
        folder = scratch / f"statement-{self._statements}"
        frame: DataFrame = _run(lambda: self._session.sql(statement))
        _run(lambda: frame.write.mode("overwrite").parquet(f"file://{folder.resolve()}"))
        try:
            for part in sorted(folder.glob("part-*.parquet")):
                with pq.ParquetFile(part) as written:
                    yield from written.iter_batches()
        finally:
            shutil.rmtree(folder if self._scratch else scratch, ignore_errors=True)

    def close(self) -> None:
        """Leave the cluster; after an interrupt at once, its executors end when we are gone."""
        if isinstance(sys.exc_info()[1], KeyboardInterrupt):
            gateway = self._session.sparkContext._gateway
            if gateway is not None:  # nothing else knows the process
                gateway.proc.kill()
        else:
            self._session.stop()


class _Task:
    """Runs work on the shards of one task; the work's own errors come back as results."""

    def __init__(self, work: Callable[[T], R]) -> None:
        self.work = work

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        from pyspark import TaskContext

        context = TaskContext.get()
        attempt = context.attemptNumber() + 1 if context is not None else 1
        for batch in batches:
            for shard in batch.column(0).to_pylist():
                outcome = Outcome(self._result(shard), attempt)
                yield pa.RecordBatch.from_pydict({"outcome": [pickle.dumps(outcome)]})

    def _result(self, shard: bytes) -> object:
        try:
            return guarded(self.work, pickle.loads(shard))  # noqa: S301 - written by the driver
        except StudyError as error:
            return error


def _run(action: Callable[[], R]) -> R:
    """Return what Spark does; its errors become ours, and an interrupt is heard at once."""
    result: Future[R] = Future()
    threading.Thread(target=_settle, args=(result, action), daemon=True).start()
    return awaited(result)


def _settle(result: Future[R], action: Callable[[], R]) -> None:
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        result.set_result(action())
    except (PySparkException, Py4JError) as error:
        reason = next((line for line in reversed(str(error).splitlines()) if "Error" in line), "")
        first = str(error).partition("\n")[0]
        wrong = StudyError(f"Spark failed: {first} {reason}".strip())
        wrong.__cause__ = error
        result.set_exception(wrong)
    except (OSError, RuntimeError, ValueError, TypeError) as error:
        result.set_exception(error)


def refuse_unreachable(master: str) -> None:
    """Raise if no master of a cluster answers; Spark itself would try for a minute.

    Args:
        master: `spark://HOST:PORT`, or several with commas, of which one must answer.
    """
    wrong = ""
    for place in master.removeprefix(CLUSTER).split(","):
        host, colon, port = place.rpartition(":")
        if not (colon and host and port.isascii() and port.isdecimal() and int(port) < 1 << 16):
            raise StudyError(
                f"{master}: not the address of a Spark master. Write spark://HOST:PORT."
            )
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=REACHED_IN).close()
        except OSError as error:
            wrong = f"{place}: {error.strerror or error}"
        else:
            return
    raise StudyError(
        f"{master}: the Spark master cannot be reached ({wrong}). Start it, or look up its address "
        "on its web page."
    )


def _session(master: str, settings: dict[str, str]) -> SparkSession:
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtra("running on Spark", "spark") from error
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise StudyError(
            "Spark needs Java 17, which is not installed. Install openjdk-17-jre-headless."
        )
    if master.startswith(CLUSTER):
        refuse_unreachable(master)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if master.startswith("local"):
        os.environ["SPARK_HOME"] = _home()
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    return _run(builder.getOrCreate)


@cache
def _home() -> str:
    """Return a Spark home whose `work` folder is not in the installed package.

    Workers of a local cluster keep their logs in SPARK_HOME/work; a folder of links to the
    installed Spark keeps them out of it, and is removed with the process.
    """
    import pyspark

    home = Path(mkdtemp(prefix="plausibly-spark-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    for part in Path(pyspark.__file__).parent.iterdir():
        (home / part.name).symlink_to(part)
    (home / "work").unlink(missing_ok=True)
    (home / "work").mkdir()
    return str(home)
