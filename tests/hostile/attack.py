"""What an attack is, for those who write one and for `./prove hostile`, which runs them."""

import threading


class Attack:
    """Somebody who means no good, or does not know better. start() returns at once; stop() ends it, also if it was never started, and again
    changes nothing; judge(), after stop(), answers a sentence for each promise that was broken meanwhile.

    `name`: for the table at the end. `promise`: what has to hold, with its bound. `alone`: it counts events, so nobody else may send
    any meanwhile. `least_seconds`: in less time it shows nothing."""

    name = ""
    promise = ""
    alone = False
    least_seconds = 0

    def start(self, server):
        """`server.port`, `server.pid`; it listens on 127.0.0.1."""
        raise NotImplementedError

    def stop(self):
        raise NotImplementedError

    def judge(self):
        raise NotImplementedError

    def is_over(self):
        """Whether it has done all that it had to do; None: it goes on until it is stopped."""
        return None

    def told(self):
        """What came of it, in a few words."""
        return ""


class FunctionAttack(Attack):
    """An attack that is one function: called with host and port on a thread of its own, it answers a dictionary in which `wrong` is a list of
    sentences, and the rest figures."""

    def __init__(self, name, promise, function, **settings):
        self.name, self.promise = name, promise
        self._function, self._settings = function, settings
        self._thread = None
        self._figures = {}

    def start(self, server):
        self._thread = threading.Thread(target=self._run, args=(server.port,), name=self.name, daemon=True)
        self._thread.start()

    def _run(self, port):
        try:
            self._figures = self._function("127.0.0.1", port, **self._settings)
        except Exception as failed:  # whatever ends it is for the table
            self._figures = {"wrong": [f"{type(failed).__name__}: {failed}"]}

    def is_over(self):
        return self._thread is not None and not self._thread.is_alive()

    def stop(self):
        """Waits: it ends by itself."""
        if self._thread is not None:
            self._thread.join()

    def judge(self):
        return self._figures.get("wrong", [])

    def told(self):
        return ", ".join(f"{name} {value}" for name, value in self._figures.items() if name != "wrong" and not isinstance(value, dict))
