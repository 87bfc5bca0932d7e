

# ---- models and resources of the NGC registry ----

NGC_KEYS = ("NGC_KEY", "NGC_API_KEY", "NGC_CLI_API_KEY")
NGC_LISTS = ("modelFiles", "resourceFiles", "recipeFiles", "files")


class Registry:
    """One version of something in the registry, asked for with the key of the job."""

    def __init__(self, artifact):
        self.name = "ngc://%s:%s" % (artifact["path"], artifact["version"])
        self.artifact = artifact
        self.base = (os.environ.get("NGC_ENDPOINT") or "https://api.ngc.nvidia.com").rstrip("/")
        self.key = next((os.environ[name] for name in NGC_KEYS if os.environ.get(name)), "").strip()
        self.bearer = None
        self.version = ""

    def token(self):
        """A personal key is sent as it is; an older one is exchanged for a token of some minutes."""
        if not self.key or self.key.startswith("nvapi-"):
            return self.key
        if self.bearer is None:
            words = self.artifact["path"].split("/")
            scope = "group/ngc:" + "/".join(word for word in words[:-1] if word != "no-team")
            address = os.environ.get("NGC_AUTH_ENDPOINT") or "https://authn.nvidia.com/token"
            login = base64.b64encode(("$oauthtoken:" + self.key).encode()).decode()
            with self.open(address + "?" + urllib.parse.urlencode({"service": "ngc", "scope": scope}), "Basic " + login) as answer:
                self.bearer = json.loads(answer.read().decode()).get("token") or ""
        return self.bearer

    def open(self, address, authorization="", have=0):
        """Asks as often as it takes."""
        headers = {"Accept": "*/*"}
        if have:
            headers["Range"] = "bytes=%d-" % have
        if authorization:
            headers["Authorization"] = authorization
        why = None
        for attempt in range(TRIES):
            try:
                request = urllib.request.Request(address, headers=headers)
                return urllib.request.build_opener(Elsewhere).open(request, timeout=60)
            except urllib.error.HTTPError as e:
                if e.code not in TRANSIENT:
                    raise Refused(self.refusal(e.code), str(e.code))
                why = e
            except OSError as e:
                why = e
            wait(attempt)
        raise OSError("no answer from the registry for %s: %s" % (self.name, why))

    def refusal(self, code):
        if code in (401, 403) and not self.key:
            return "%s is not open to everybody: give the job the secret NGC_KEY" % self.name
        if code == 401:
            return "%s: the registry does not take the key in NGC_KEY (401); it may have run out" % self.name
        if code == 403:
            return "%s: the key in NGC_KEY may not read it (403); it must be of this organization and team" % self.name
        if code == 404:
            return "%s is not there, or not for this key" % self.name
        return "%s: the registry answers %d" % (self.name, code)

    def ask(self, path, have=0):
        token = self.token()
        return self.open(self.version + path, "Bearer " + token if token else "", have)

    def files(self):
        """The list of files, of a model or else of a resource."""
        words = self.artifact["path"].split("/")
        owner = "org/" + words[0] + ("/team/" + words[1] if len(words) == 3 and words[1] != "no-team" else "")
        first = None
        for kind in ("models", "resources"):
            self.version = "%s/v2/%s/%s/%s/versions/%s" % (self.base, owner, kind, words[-1], self.artifact["version"])
            try:
                return self.pages()
            except Refused as e:
                first = e if first is None or first.code == "404" and e.code != "404" else first
                if e.code not in ("401", "403", "404"):
                    raise
        raise first

    def pages(self):
        found, page, pages, total = [], 0, 1, None
        while page < pages:
            with self.ask("/files?page-size=1000" + ("&page-number=%d" % page if page else "")) as answer:
                known = json.loads(answer.read().decode())
            part = next((known[name] for name in NGC_LISTS if isinstance(known.get(name), list)), None)
            if part is None:
                raise Refused("%s: the registry gave a list of files that this version does not know" % self.name)
            found.extend(part)
            info = known.get("paginationInfo") or {}
            pages, total = min(int(info.get("totalPages") or 1), 1000), info.get("totalResults", total)
            page += 1
        files = {each["rfilename"]: each for each in map(self.file, found)}
        if total is not None and len(files) != int(total):
            raise OSError("%s: of %s files %d were listed" % (self.name, total, len(files)))
        return list(files.values())

    def file(self, known):
        path = known.get("path") or known.get("name") or ""
        size = known.get("sizeInBytes", known.get("size"))
        checksum = known.get("sha256") or None
        if known.get("sha256_base64"):
            checksum = base64.b64decode(known["sha256_base64"]).hex()
        if any(word in ("", ".", "..") for word in path.split("/")):
            raise Refused("%s has a file that cannot be a path here" % self.name)
        return {"rfilename": path, "size": size, "lfs": {"sha256": checksum}}


def fetch_artifact(artifact, cache):
    """All files of one version, which never changes there, each by the size that it has there."""
    registry, root = Registry(artifact), artifact["local"]
    if os.path.isdir(root) and os.listdir(root):
        say("%s is here already: %s" % (registry.name, root))
        return
    files = registry.files()
    if not files:
        raise Refused("%s has no files" % registry.name)
    staging = root + ".tao-part"
    say("fetching %s to %s: %d files, %s" % (
        registry.name, root, len(files), human(sum(each["size"] or 0 for each in files))))
    for file in files:
        address = "/files/" + urllib.parse.quote(file["rfilename"])
        fetch_whole(lambda have: registry.ask(address, have), file, os.path.join(staging, file["rfilename"]), registry.name)
    if os.path.isdir(root):
        os.rename(root, "%s.old-%d" % (root, time.time()))
    os.rename(staging, root)
    say("fetched %s" % registry.name)
