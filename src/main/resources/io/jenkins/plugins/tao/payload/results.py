

# ---- results ----

class Uploader:
    def __init__(self, plan):
        self.plan, self.sent = plan, {}
        self.files = [(file["path"], Store(file["bucket"], plan), file["key"]) for file in plan["files"]]
        self.there = {}
        self.left, self.began = set(), self.begin()

    def begin(self):
        """When the job began to write to a directory that others may have used before, by the clock of its volume."""
        try:
            note = os.path.join(self.plan["results"], ".tao", "began")
            with open(note) as file:
                return os.stat(note).st_ctime_ns if file.read().strip() == self.plan["owner"] else 0
        except OSError:
            return 0

    def claim(self, store, key):
        """Notes in the storage whose results these are, unless the address is called after the job: others may have been
        there before. What they left is older than the note, by the clock of the storage."""
        if self.plan["owner"] in key:
            return ""
        name = key + "/.tao/owner" if key else ".tao/owner"
        for attempt in range(2):
            for found, _, _, written in store.objects(name, 1):
                if found == name and store.ask("GET", name)[1].decode().strip() == self.plan["owner"]:
                    return written
            if not attempt:
                store.ask("PUT", name, body=(self.plan["owner"] + "\n").encode())
        return ""

    def known(self, store, key, path):
        """What lies there of this job, by name; what another job left is sent anew even if it is the same."""
        since = self.claim(store, key) if path == self.plan["results"] else ""
        prefix = key + "/" if key and os.path.isdir(path) else key
        return {name: rest for name, *rest in store.objects(prefix) if rest[2] >= since}

    def is_older(self, path, full):
        """Whether a file was left by another job: it has not been written, made or copied there since this one began."""
        try:
            older = path == self.plan["results"] and os.stat(full).st_ctime_ns < self.began
        except FileNotFoundError:
            return False
        if older:
            self.left.add(full)
        return older

    def excluded(self, name):
        patterns = self.plan["exclude"] + ["*.tao-part", ".tao/*"]
        return any(fnmatch.fnmatchcase(name, pattern) or fnmatch.fnmatchcase(os.path.basename(name), pattern)
                   for pattern in patterns)

    def local_files(self, path, key):
        if os.path.isfile(path):
            return [(path, key)]
        found = []
        for folder, _, names in os.walk(path):
            for name in names:
                full = os.path.join(folder, name)
                rest = os.path.relpath(full, path)
                if os.path.isfile(full) and not self.excluded(rest) and not self.is_older(path, full):
                    found.append((full, key + "/" + rest if key else rest))
        return found

    def sync(self, final):
        """Sends what is new; returns how many files there are and their bytes."""
        work, count, total = [], 0, 0
        for path, store, key in self.files:
            if not os.path.exists(path):
                if final:
                    raise Refused("the output %s is not there" % path)
                continue
            if (store.bucket, key) not in self.there:
                self.there[store.bucket, key] = self.known(store, key, path)
            for full, name in self.local_files(path, key):
                try:
                    stat = os.stat(full)
                except FileNotFoundError:
                    continue
                state = (stat.st_size, stat.st_mtime_ns)
                count, total = count + 1, total + stat.st_size
                young = time.time() - stat.st_mtime < SETTLED and stat.st_size > MIB
                if self.sent.get(full) != state and (final or not young):
                    work.append((store, full, name, state, self.there[store.bucket, key].get(name)))
        progress = Progress("uploading", len(work), sum(each[3][0] for each in work))
        in_parallel(lambda *each: self.put(*each, progress=progress), work)
        return count, total

    def put(self, store, path, key, state, known, progress):
        size = state[0]
        try:
            if not (known and known[0] == size and known[1] == md5_of(path, size, "-" in known[1])):
                if size > WHOLE:
                    self.put_parts(store, path, key, size, progress)
                else:
                    with open(path, "rb") as file:
                        self.put_whole(store, key, file.read(), progress)
            self.sent[path] = state
        except FileNotFoundError:
            pass  # the command has removed it in the meantime

    def put_whole(self, store, key, data, progress, query=None):
        checksum = md5(data)
        headers = {"content-md5": base64.b64encode(checksum.digest()).decode()}
        for attempt in range(TRIES):
            answer = store.ask("PUT", key, query, headers, data)[0]
            etag = (answer.headers.get("ETag") or "").strip("\"")
            if has_other_etag(answer) or not is_md5(etag) or etag == checksum.hexdigest():
                progress.add(len(data))
                return etag
            wait(attempt)
        raise OSError("%s arrived damaged %d times" % (store.name(key), TRIES))

    def put_parts(self, store, path, key, size, progress):
        body = store.ask("POST", key, {"uploads": ""})[1]
        upload = re.search("<UploadId>([^<]*)</UploadId>", body.decode()).group(1)
        try:
            etags = []
            with open(path, "rb") as file:
                for data in iter(lambda: file.read(part_size(size)), b""):
                    query = {"partNumber": str(len(etags) + 1), "uploadId": upload}
                    etags.append(self.put_whole(store, key, data, progress, query))
            parts = "".join("<Part><PartNumber>%d</PartNumber><ETag>\"%s\"</ETag></Part>" % (number + 1, etag)
                            for number, etag in enumerate(etags))
            text = "<CompleteMultipartUpload>%s</CompleteMultipartUpload>" % parts
            try:
                body = store.ask("POST", key, {"uploadId": upload}, {}, text.encode())[1]
            except Refused as e:
                if e.code != "NoSuchUpload":  # else an earlier try did it, and its answer was lost
                    raise
            if b"<Error>" in body:
                raise OSError("%s could not be put together of its parts" % store.name(key))
        except BaseException:
            try:
                store.ask("DELETE", key, {"uploadId": upload})
            except (Refused, OSError, http.client.HTTPException):
                pass
            raise

    def verify(self):
        for path, store, key in self.files:
            prefix = key + "/" if key and os.path.isdir(path) else key
            there = {name: size for name, size, _, _ in store.objects(prefix)}
            for full, name in self.local_files(path, key):
                if there.get(name) != os.path.getsize(full):
                    raise Refused("%s is not at %s as it is here" % (full, store.name(name)))


def alive(pid):
    """Whether it is a child of the frame still: once it is waited for, its number may be that of another process."""
    try:
        os.kill(pid, 0)
        with open("/proc/%d/stat" % pid) as stat:
            return stat.read().rpartition(")")[2].split()[1] == str(os.getppid())
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not os.path.exists("/proc/self/stat")
    except OSError:
        return True


def upload(plan, pid):
    uploader = Uploader(plan)
    due = time.monotonic() + plan["every"]
    while alive(pid):
        if plan["every"] and time.monotonic() >= due:
            try:
                uploader.sync(False)
            except (Refused, OSError, http.client.HTTPException) as e:
                say("WARNING: results could not be uploaded now, it is tried again: %s" % e)
            due = time.monotonic() + plan["every"]
        time.sleep(0.5)
    count, total = uploader.sync(True)
    uploader.verify()
    if uploader.left:
        say("%d files in %s are older than this job, and were not uploaded" % (len(uploader.left), plan["results"]))
    say("upload verified: %d files, %s in %s" % (
        count, human(total), ", ".join(store.name(key) for _, store, key in uploader.files)))
