"""A worker, of which there may be several: lines from Redis streams to `handrec follow`, and its answers back."""

import subprocess
import sys
import time
import uuid
from contextlib import suppress
from typing import Any

import redis

STREAMS = [f"lines:{number}" for number in range(8)]  # all lines of a table go to one: crc32 of its name, modulo 8
LEASE = 2000  # milliseconds for which a stream is one worker's, unless it says so again
OWN = """
if redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 'new' end
if redis.call('get', KEYS[1]) ~= ARGV[1] then return nil end
redis.call('pexpire', KEYS[1], ARGV[2])
return 'kept'
"""


def work(url: str, command: list[str]) -> None:
    base: Any = redis.Redis.from_url(url, decode_responses=True)
    follow: Any = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    script, me = base.register_script(OWN), uuid.uuid4().hex
    mine: dict[str, str] = {}  # streams, each with where to read on
    for stream in STREAMS:
        with suppress(redis.ResponseError):  # it is there already
            base.xgroup_create(stream, "follow", id="0", mkstream=True)

    def own(stream: str) -> Any:
        return script(keys=[f"{stream}:owner"], args=[me, LEASE])

    while True:
        base.set(f"worker:{me}", 1, px=LEASE)
        share = -(-len(STREAMS) // max(1, len(base.keys("worker:*"))))
        for stream in STREAMS:
            if stream in mine or len(mine) < share:
                if (had := own(stream)) == "new":
                    mine[stream] = "0"  # first what was given to its owner before, and not answered
                elif had is None:
                    mine.pop(stream, None)
        for stream in [*mine][share:]:  # for another worker
            base.delete(f"{stream}:owner")
            del mine[stream]
        if not mine:
            time.sleep(LEASE / 10_000)
            continue
        for stream, entries in base.xreadgroup("follow", "follow", mine, count=20, block=LEASE // 10):
            if not entries:
                mine[stream] = ">"  # then what is new
            for entry, fields in entries:
                if own(stream) != "kept":  # it took too long: another worker may have had it since
                    mine[stream] = "0"
                    break
                follow.stdin.write(fields["line"] + "\n")
                follow.stdin.flush()
                if not (answer := follow.stdout.readline()):
                    sys.exit("handrec follow has ended")
                with base.pipeline(transaction=True) as both:
                    both.xadd("answers", {"answer": answer})
                    both.xack(stream, "follow", entry)
                    both.execute()


if __name__ == "__main__":
    work(sys.argv[1], sys.argv[2:])
