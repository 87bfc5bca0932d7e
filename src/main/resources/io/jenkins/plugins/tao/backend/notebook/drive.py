class DriveRun(TaoRun):
    """The same on Colab, which keeps nothing but the mounted drive and gives no signal before it takes the machine away."""

    def __init__(self, job):
        super().__init__(job)
        self.copied = {}

    def prepare(self):
        self.mount()
        self.show()
        for name in self.job["secrets"]:
            self.secrets[name] = self.userdata(name)
        if self.ending is None:
            self.results.mkdir(parents=True, exist_ok=True)
            self.scratch.mkdir(parents=True, exist_ok=True)
            self.resume()

    def mount(self):
        from google.colab import drive
        drive.mount(self.job["driveMount"])
        self.durable.mkdir(parents=True, exist_ok=True)
        self.say("drive: %s" % ", ".join(sorted(path.name for path in self.durable.iterdir()) or ["empty"]))

    @staticmethod
    def userdata(name):
        from google.colab import userdata
        return userdata.get(name)

    def resume(self):
        ready, count = self.ready(), 0
        for path in sorted(self.durable.rglob("*")):
            name = path.relative_to(self.durable).as_posix()
            here = self.results / name
            if path.is_file() and path.stat().st_size == ready.get(name) and not here.exists():
                here.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, here.with_name(here.name + ".new"))
                os.replace(here.with_name(here.name + ".new"), here)
                self.copied[name] = self.stamp(here)
                count += 1
        self.say("resumes from %s: %d files" % (self.durable, count) if count else "starts from the beginning")

    @staticmethod
    def stamp(path):
        """By the machine's own clock: times on the drive are coarse."""
        return path.stat().st_size, path.stat().st_mtime_ns

    def ready(self):
        with contextlib.suppress(OSError, ValueError):
            return json.loads((self.durable / "tao-run" / "ready.json").read_text())
        return {}

    def while_running(self):
        self.keep_state("run")
        self.keep()

    def keep(self):
        """Copies what is new to the drive. A file counts only once the drive lists it with its whole content."""
        ready = self.ready()
        for path in sorted(self.results.rglob("*")):
            name, there = path.relative_to(self.results).as_posix(), self.durable / path.relative_to(self.results)
            if not path.is_file() or path.is_symlink() or path.name.endswith((".new", ".tmp")):
                continue
            stamp = self.stamp(path)
            if stamp[0] and self.copied.get(name) != stamp:
                ready.pop(name, None)
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, there.with_name(there.name + ".new"))
                with open(there.with_name(there.name + ".new"), "rb+") as file:
                    os.fsync(file.fileno())
                os.replace(there.with_name(there.name + ".new"), there)
                self.copied[name] = stamp
        self.note(ready)

    def note(self, ready):
        for path in sorted(self.results.rglob("*")):
            name, there = path.relative_to(self.results).as_posix(), self.durable / path.relative_to(self.results)
            if path.is_file() and there.is_file() and 0 < there.stat().st_size == path.stat().st_size:
                ready[name] = there.stat().st_size
        (self.durable / "tao-run").mkdir(parents=True, exist_ok=True)
        self.replace(self.durable / "tao-run" / "ready.json", json.dumps(ready, indent=2).encode())

    def close(self):
        with contextlib.suppress(Exception):
            self.keep()
        self.end(self.FAULT, "fault", "the command was not run")
        with contextlib.suppress(Exception):
            self.keep_state("ended")
        try:
            from google.colab import drive
            drive.flush_and_unmount()
            drive.mount(self.job["driveMount"])
            for name, size in sorted(self.ready().items()):
                there = self.durable / name
                listed = there.stat().st_size if there.is_file() else 0
                self.say("drive: %s %s" % (name, "%d bytes" % listed if listed == size else "is NOT there yet"))
        except BaseException:
            traceback.print_exc()
        self.emit(sys.stderr, "%sexit %d %s %s\n" % (
            self.mark, self.ending["code"], self.ending["word"], self.ending["text"]))
