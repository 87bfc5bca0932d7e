import codecs, contextlib, importlib.metadata, json, os, pathlib, platform, shutil, signal
import subprocess, sys, threading, time, traceback


class TaoRun:
    """One attempt of one job. No step raises: a failing cell would cost the version its output."""

    LOG_BYTES = 6 << 20  # of each stream, as Kaggle hands them out; the files main.out and main.err have all of it
    STATUS_LINE_BYTES = 256 << 10
    MACHINE_BYTES = 1 << 20
    NO_START, FAULT, TOO_LARGE, TIME_LIMIT = 75, 70, 74, 124

    def __init__(self, job):
        self.job = job
        self.began = time.monotonic()
        self.durable = pathlib.Path(job["durableDirectory"])
        self.results = pathlib.Path(job["resultsDirectory"])
        self.scratch = pathlib.Path(job["scratchDirectory"])
        self.inputs = pathlib.Path(job["inputDirectory"])
        self.own = pathlib.Path(job["runDirectory"])
        self.mark = "tao-run[%s.%d] " % (job["key"], job["attempt"])
        self.lock = threading.Lock()
        self.printed = {}
        self.secrets = {}
        self.places = {}
        self.directory = self.scratch
        self.ending = None

    # What is printed: the command's own output goes to the stream it came from, everything of ours to standard error.

    def say(self, text):
        self.emit(sys.stderr, "[tao] " + text + "\n")

    def masked(self, line):
        for value in self.secrets.values():
            line = line.replace(value.encode(), b"***") if len(value) >= 6 else line
        return line

    def emit(self, stream, text):
        text = self.masked(text.encode("utf-8", "replace")).decode("utf-8", "replace")
        with self.lock:
            stream.write(text)
            stream.flush()

    @staticmethod
    def cost(text):
        """Bytes of a line in an answer of Kaggle's, where each is an object of its own, as JSON within JSON."""
        return len(json.dumps(json.dumps(text))) + 100

    def relay(self, stream, text):
        before, more = self.printed.get(stream.name, 0), self.cost(text)
        self.printed[stream.name] = before + more
        if before + more <= self.LOG_BYTES:
            self.emit(stream, text)
        elif before <= self.LOG_BYTES:
            self.say("this log ends here; the files main.out and main.err of the output continue")

    # How it ends: the first reason counts.

    def end(self, code, word, text=""):
        if self.ending is None:
            self.ending = {"code": code, "word": word, "text": " ".join(text.split())}

    def step(self, name, action):
        if self.ending is not None:
            return
        try:
            self.keep_state(name)
            action()
        except BaseException as fault:  # SystemExit and KeyboardInterrupt would end the run without its output, too
            traceback.print_exc()
            self.end(self.FAULT, "fault", "%s failed: %s: %s" % (name, type(fault).__name__, fault))

    def refuse(self, text):
        self.say(text)
        self.end(self.NO_START, "launch", text)

    def keep_state(self, phase):
        self.own.mkdir(parents=True, exist_ok=True)
        state = {
            "key": self.job["key"],
            "attempt": self.job["attempt"],
            "slug": self.job["slug"],
            "phase": phase,
            "resultsDirectory": os.path.relpath(self.results, self.durable),
            "seconds": round(time.monotonic() - self.began),
            "outputBytes": self.size(self.durable),
        }
        if self.ending is not None:
            state.update(exitCode=self.ending["code"], end=self.ending["word"], reason=self.ending["text"])
        self.replace(self.own / "state.json", json.dumps(state, indent=2).encode())

    @staticmethod
    def replace(path, content):
        new = path.with_name(path.name + ".new")
        with open(new, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)

    @staticmethod
    def size(directory):
        total = 0
        for path in pathlib.Path(directory).rglob("*"):
            with contextlib.suppress(OSError):
                total += path.stat().st_size if path.is_file() and not path.is_symlink() else 0
        return total

    # The first cell: what is there, whether it is enough, and what an earlier session left.

    def prepare(self):
        self.show()
        if self.ending is None:
            self.results.mkdir(parents=True, exist_ok=True)
            self.scratch.mkdir(parents=True, exist_ok=True)
            self.find_inputs()
        if self.ending is None:
            self.resume()

    def show(self):
        gpus = [line for line in self.ask("nvidia-smi", "-L").splitlines() if line.startswith("GPU ")]
        self.say("session %d of %d of job %s" % (
            self.job["attempt"], max(self.job["attempt"], self.job["sessions"]), self.job["key"]))
        self.say("devices: " + ("; ".join(gpus) if gpus else "no GPU"))
        driver = self.ask("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").splitlines()
        self.say("versions: python %s, torch %s, driver %s" % (
            platform.python_version(), self.version("torch"), driver[0] if driver else "none"))
        for line in self.ask("df", "-h", str(self.durable), str(self.scratch.parent)).splitlines():
            self.say("space: " + line)
        for place in (self.inputs, self.durable):
            names = sorted(path.name for path in place.iterdir()) if place.is_dir() else []
            self.say("%s: %s" % (place, ", ".join(names) or "empty"))
        if len(gpus) < self.job["gpus"]:
            self.refuse("this session has %d GPU(s), the job wants %d: is the account verified by phone, and is there"
                        " quota left?" % (len(gpus), self.job["gpus"]))

    @staticmethod
    def ask(*command):
        try:
            return subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60).stdout
        except (OSError, subprocess.TimeoutExpired):
            return ""

    @staticmethod
    def version(package):
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            return "none"

    def find_inputs(self):
        for wanted in self.job["inputs"]:
            relative = pathlib.PurePosixPath(wanted).relative_to(self.inputs.as_posix())
            found = [path for path in [pathlib.Path(wanted), *self.inputs.glob("*/*/%s" % relative)] if path.exists()]
            if not found:
                return self.refuse("the input %s is not mounted; attach its dataset" % wanted)
            self.places[wanted] = str(found[0])
        for name, path in self.files_of(self.job.get("secretsDataset")):
            self.secrets[name] = path.read_text().rstrip("\n")

    def mounted(self, dataset):
        owner, slug = dataset.split("/")[:2]
        for path in (self.inputs / slug, self.inputs / "datasets" / owner / slug):
            if path.is_dir():
                return path
        return None

    def files_of(self, dataset):
        directory = self.mounted(dataset) if dataset else None
        if dataset and directory is None:
            self.refuse("the dataset %s is not mounted" % dataset)
        return [] if directory is None else [
            (path.name, path) for path in directory.iterdir() if path.is_file() and path.name.isidentifier()]

    def resume(self):
        for state in sorted(self.inputs.rglob("tao-run/state.json")):
            with contextlib.suppress(OSError, ValueError):
                told = json.loads(state.read_text())
                if told.get("slug") in self.job["resume"]:
                    return self.restore(state.parent.parent / told["resultsDirectory"])
        if self.job["resume"]:
            self.say("nothing to resume from in %s: this starts from the beginning" % ", ".join(self.job["resume"]))

    def restore(self, source):
        """Copies what is not here yet, so that running this cell again changes nothing."""
        if self.size(source) > self.job["outputBytes"]:
            return self.refuse("what the session before left does not fit into %d bytes" % self.job["outputBytes"])
        count = 0
        for path in sorted(source.rglob("*")):
            here = self.results / path.relative_to(source)
            if path.is_file() and not path.is_symlink() and not here.exists():
                here.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, here.with_name(here.name + ".new"))
                os.replace(here.with_name(here.name + ".new"), here)
                count += 1
        self.say("resumes from %s: %d files" % (source, count))

    # The second cell: the code.

    def fetch_code(self):
        if self.job.get("codeDataset"):
            self.directory = self.mounted(self.job["codeDataset"])
            if self.directory is None:
                self.directory = self.scratch
                self.refuse("the dataset %s is not mounted" % self.job["codeDataset"])
        elif self.job.get("git"):
            self.clone(self.scratch / "code")

    def clone(self, into):
        for attempt in range(3):
            if not into.exists() and not self.git("clone", "--quiet", self.job["git"], str(into)):
                shutil.rmtree(into, ignore_errors=True)
                time.sleep(attempt * 5)
        revision = self.job.get("revision")
        if not into.exists():
            return self.refuse("git clone of %s failed; is internet on?" % self.job["git"])
        if revision and not self.git("-C", str(into), "checkout", "--quiet", "--detach", revision):
            return self.refuse("%s has no revision %s" % (self.job["git"], revision))
        self.directory = into
        self.say("code: %s at %s" % (self.job["git"], self.ask("git", "-C", str(into), "rev-parse", "HEAD").strip()))

    def git(self, *words):
        done = subprocess.run(
            ["git", *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800,
            env=dict(os.environ, GIT_TERMINAL_PROMPT="0"))
        for line in done.stderr.splitlines():
            self.say("git: " + line)
        return done.returncode == 0

    # The third cell: the command.

    def environment(self):
        return {**os.environ, **self.job["env"], **self.secrets}

    def placed(self, text):
        for wanted, found in self.places.items():
            text = text.replace(wanted, found)
        return text

    def run(self):
        if self.job.get("spec"):
            self.replace(pathlib.Path(self.job["specFile"]), self.placed(self.job["spec"]).encode())
        status = StatusTail(self)
        process = subprocess.Popen(
            ["/bin/bash", "-c", self.placed(self.job["command"])], cwd=self.directory, env=self.environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        pumps = [
            threading.Thread(target=self.pump, args=(process.stdout, sys.stdout, "main.out", False), daemon=True),
            threading.Thread(target=self.pump, args=(process.stderr, sys.stderr, "main.err", True), daemon=True)]
        for pump in pumps:
            pump.start()
        machine = self.machine()
        try:
            self.watch(process, status)
        finally:
            self.kill(process, signal.SIGKILL)
            if machine:
                self.kill(machine, signal.SIGKILL)
            for pump in pumps:
                pump.join(5)
            status.look()

    def machine(self):
        """Starts what tells of the GPUs, without the secrets of the command and with no part in how it ends."""
        if not self.job.get("gpuProgram"):
            return None
        env = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        try:
            process = subprocess.Popen(
                ["sh", "-c", self.job["gpuProgram"], "gpus", str(os.getpid()),
                 os.environ.get("CUDA_VISIBLE_DEVICES", ""), str(self.job["gpuSeconds"])],
                env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True)
        except OSError as fault:
            self.say("the GPUs are not watched: %s" % fault)
            return None
        threading.Thread(target=self.tell_machine, args=(process.stdout,), daemon=True).start()
        return process

    def tell_machine(self, source):
        told = 0
        for line in source:
            text = self.mark + "machine " + line.decode("utf-8", "replace").rstrip("\n") + "\n"
            told += self.cost(text)
            if told <= self.MACHINE_BYTES:
                self.emit(sys.stderr, text)

    def watch(self, process, status):
        limit, last = self.job["sessionSeconds"], 0.0
        while process.poll() is None:
            status.look()
            now = time.monotonic()
            if limit and now - self.began > limit - self.job["marginSeconds"]:
                return self.stop(process)
            if now - last > self.job["keepSeconds"]:
                last = now
                try:
                    self.while_running()
                except OSError as fault:  # a full disk or a drive that is away for a while is no reason to end a training
                    self.say("could not be kept now: %s" % fault)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(self.job["lookSeconds"])
        code = process.returncode
        self.end(code if code >= 0 else 128 - code, "done")

    def while_running(self):
        self.keep_state("run")
        used, most = self.size(self.durable), self.job["outputBytes"]
        if used > most * 0.9:
            self.say("the output has %d bytes; at most %d are kept" % (used, most))

    def stop(self, process):
        self.say("the session's time is nearly over: the command is asked to end")
        self.kill(process, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(self.job["marginSeconds"] / 3)
        more = self.job["attempt"] < self.job["sessions"]
        self.end(self.TIME_LIMIT, "next" if more else "limit", "session %d of %d reached its time limit" % (
            self.job["attempt"], self.job["sessions"]))

    @staticmethod
    def kill(process, number):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)

    def pump(self, source, stream, name, whole_lines):
        """By lines, so that a secret is never cut in two and nothing of ours begins within a line of the command's."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with open(self.own / name, "ab") as file:
            while line := self.masked(source.readline(1 << 16)):
                file.write(line)
                file.flush()
                text = decoder.decode(line)
                if whole_lines:
                    text = (" " if text.startswith("tao-run[") else "") + text.rstrip("\n") + "\n"
                self.relay(stream, text)
        self.relay(stream, decoder.decode(b"", True))

    # The last cell: what is kept, and how it ended. The mark is the last line, whatever happens before it.

    def close(self):
        try:
            used, most = self.size(self.durable), self.job["outputBytes"]
            self.say("output: %d bytes of at most %d" % (used, most))
            if used > most and (self.ending is None or self.ending["code"] == 0):
                self.ending = None
                self.end(self.TOO_LARGE, "fault", "the output has %d bytes, at most %d are kept" % (used, most))
            self.end(self.FAULT, "fault", "the command was not run")
            self.keep_state("ended")
        except BaseException:
            traceback.print_exc()
            self.end(self.FAULT, "fault", "the end could not be written down")
        self.emit(sys.stderr, "%sexit %d %s %s\n" % (
            self.mark, self.ending["code"], self.ending["word"], self.ending["text"]))


class StatusTail:
    """Repeats the new lines of the newest status.json in the log, which is all that can be seen of a running commit."""

    def __init__(self, run):
        self.run = run
        self.read = {path: path.stat().st_size for path in run.results.rglob("status.json")}
        self.told = 0

    def look(self):
        with contextlib.suppress(OSError):
            files = [path for path in self.run.results.rglob("status.json") if not path.is_symlink()]
            grown = [path for path in files if path.stat().st_size != self.read.get(path, 0)]
            if grown:
                self.follow(max(grown, key=lambda path: path.stat().st_mtime))

    def follow(self, path):
        start = self.read.get(path, 0)
        with open(path, "rb") as file:
            if path.stat().st_size < start:
                start = 0
            file.seek(start)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                start += len(line)
                self.tell(line.decode("utf-8", "replace").strip())
        self.read[path] = start

    def tell(self, line):
        self.told += self.run.cost(line)
        if len(line) <= self.run.STATUS_LINE_BYTES and self.told <= self.run.LOG_BYTES:
            self.run.emit(sys.stderr, self.run.mark + "status " + line + "\n")
