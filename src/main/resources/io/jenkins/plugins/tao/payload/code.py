

# ---- the code of the job ----

class Unpacked:
    """What was unpacked, and the id that it has: the sender makes it in the same way."""

    def __init__(self, root):
        self.root, self.sums, self.modes, self.links, self.folders = root, [], [], [], {root}

    def path(self, member):
        name = member.name[2:] if member.name.startswith("./") else ""
        if any(word in ("", ".", "..") for word in name.split("/")):
            raise Refused("the code has a file that cannot be a path here: %r" % member.name)
        return name, os.path.join(self.root, name)

    def take(self, tar, member):
        name, full = self.path(member)
        folder = os.path.dirname(full)
        if member.isreg() and not self.links:  # files come first: none is ever written through a link
            os.makedirs(folder, exist_ok=True)
            self.folders.add(folder)
            self.sums.append("%s  ./%s\n" % (self.write(tar.extractfile(member), full), name))
            self.modes.append("x" if member.mode & 0o100 else "-")
            os.chmod(full, 0o555 if member.mode & 0o100 else 0o444)
        elif member.issym():
            os.makedirs(folder, exist_ok=True)
            self.folders.add(folder)
            os.symlink(member.linkname, full)
            self.links.append("\n%s -> %s" % (name, member.linkname))
        else:
            raise Refused("the code has an entry that is neither a file nor a link: %r" % member.name)

    def write(self, content, path):
        whole = hashlib.sha256()
        with open(path, "xb") as file:
            for piece in iter(lambda: content.read(MIB), b""):
                whole.update(piece)
                file.write(piece)
        return whole.hexdigest()

    def id(self):
        text = "".join(self.sums) + "".join(self.modes) + "".join(self.links)
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:40]

    def close(self):
        for folder in sorted(self.folders, reverse=True):
            while len(folder) >= len(self.root):
                os.chmod(folder, 0o555)
                folder = os.path.dirname(folder)


def fetch_code(plan, place):
    """Brings the code to the place, read-only; it is there whole and proved, or not at all."""
    if os.path.isdir(place):
        return
    store, key = Store(plan["bucket"], plan), plan["key"]
    found = [each for each in store.objects(key, 1) if each[0] == key]
    if not found:
        raise Refused("the code of the job is not at %s any more; submit the job again" % store.name(key))
    size, etag = found[0][1], found[0][2]
    staging = "%s.%d.part" % (place, os.getpid())
    os.makedirs(staging, mode=0o755)
    file = staging + ".tar"
    fetch(store, key, size, etag, file, Progress("fetching the code", 1, size))
    unpacked = Unpacked(staging)
    with tarfile.open(file, encoding="utf-8", errors="surrogateescape") as tar:
        for member in tar:
            unpacked.take(tar, member)
    os.unlink(file)
    if unpacked.id() != plan["id"]:
        raise Refused("the code at %s is not what the job was sent with: its checksums differ" % store.name(key))
    os.rename(staging, place)
    unpacked.root, unpacked.folders = place, {place + folder[len(staging):] for folder in unpacked.folders}
    unpacked.close()
    say("the code of the job is in %s: %d files" % (place, len(unpacked.sums) + len(unpacked.links)))
