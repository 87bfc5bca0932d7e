

# ---- keys by role ----
# Where no keys are given: what the tools of AWS find in a container, in their order. A token of somebody else (EKS,
# AWS_WEB_IDENTITY_TOKEN_FILE), the files below ~/.aws, the service of the container, that of the instance (IMDSv2).
import configparser
import shlex
import subprocess

RENEW_BEFORE = datetime.timedelta(minutes=5)
ROLES = "/latest/meta-data/iam/security-credentials/"
role_lock = threading.Lock()
role_kept = []  # the last keys, and when they run out


def role_keys(region, skew):
    """Access key, secret key and session token; asked for anew shortly before they run out. None without a role."""
    with role_lock:
        if not role_kept or role_kept[1] and utc_now() + skew > role_kept[1] - RENEW_BEFORE:
            found = web_identity(region) or aws_files() or container_role() or instance_role()
            role_kept[:] = found or []
        return role_kept[0] if role_kept else None


def keys_of(answer, who):
    if answer.get("Code", "Success") != "Success":
        raise Refused("%s gives no keys: %s %s" % (who, answer["Code"], answer.get("Message", "")))
    if not answer.get("AccessKeyId") or not answer.get("SecretAccessKey"):
        raise Refused("%s gave something that holds no keys" % who)
    token = answer.get("SessionToken") or answer.get("Token") or ""
    return (answer["AccessKeyId"], answer["SecretAccessKey"], token), ends_at(answer.get("Expiration"))


def ends_at(text):
    try:
        end = datetime.datetime.strptime((text or "")[:19], "%Y-%m-%dT%H:%M:%S")
        return end.replace(tzinfo=datetime.timezone.utc)
    except ValueError:
        return None


def near(url, headers=None, method="GET"):
    """An answer from this machine itself, for which no proxy is asked."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(url, headers=headers or {}, method=method)
    with opener.open(request, timeout=2 if url.startswith("http://169.254.169") else 10) as answer:
        return answer.read(MIB).decode()


def instance_role():
    env = os.environ
    if env.get("AWS_EC2_METADATA_DISABLED", "").lower() == "true":
        return None
    base = (env.get("AWS_EC2_METADATA_SERVICE_ENDPOINT") or "http://169.254.169.254").rstrip("/")
    try:
        token = {"X-aws-ec2-metadata-token": near(base + "/latest/api/token", {
            "X-aws-ec2-metadata-token-ttl-seconds": "300"}, "PUT").strip()}
        names = near(base + ROLES, token).split()
        return keys_of(json.loads(near(base + ROLES + names[0], token)), "the instance") if names else None
    except (OSError, http.client.HTTPException):
        return None  # no instance of EC2, or one without a role


def container_role():
    env = os.environ
    url = env.get("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
    url = "http://169.254.170.2" + url if url else env.get("AWS_CONTAINER_CREDENTIALS_FULL_URI")
    if not url:
        return None
    name = env.get("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
    token = whole(name) if name else env.get("AWS_CONTAINER_AUTHORIZATION_TOKEN")
    host = urllib.parse.urlsplit(url).hostname or ""
    if not url.startswith("https://") and host not in ("localhost", "::1", "169.254.170.2", "169.254.170.23", "fd00:ec2::23") \
            and not host.startswith("127."):
        raise Refused("AWS_CONTAINER_CREDENTIALS_FULL_URI names %s, which is not this machine" % host)
    return keys_of(json.loads(asked(lambda: near(url, {"Authorization": token} if token else {}), "the service of the container")),
                   "the service of the container")


def web_identity(region):
    env = os.environ
    role, name = env.get("AWS_ROLE_ARN"), env.get("AWS_WEB_IDENTITY_TOKEN_FILE")
    if not role or not name:
        return None
    region = env.get("AWS_REGION") or env.get("AWS_DEFAULT_REGION") or region
    base = env.get("AWS_ENDPOINT_URL_STS") or "https://sts.%s.amazonaws.com" % region
    form = urllib.parse.urlencode({
        "Action": "AssumeRoleWithWebIdentity", "Version": "2011-06-15", "RoleArn": role,
        "RoleSessionName": env.get("AWS_ROLE_SESSION_NAME") or "tao-run", "WebIdentityToken": whole(name)}).encode()

    def ask():
        context = ssl.create_default_context(cafile=env.get("AWS_CA_BUNDLE") or None) if base.startswith("https") else None
        with urllib.request.urlopen(base.rstrip("/") + "/", form, timeout=60, context=context) as answer:
            return answer.read(MIB).decode()

    who = "the token service of AWS"
    root = xml.etree.ElementTree.fromstring(asked(ask, who))
    return keys_of({item.tag.rpartition("}")[2]: item.text for item in root.iter()}, who)


def aws_files():
    """Keys in ~/.aws/credentials, or a program of ~/.aws/config that prints some."""
    env, profile = os.environ, os.environ.get("AWS_PROFILE") or "default"
    found = {}
    for variable, usual in (("AWS_CONFIG_FILE", "~/.aws/config"), ("AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials")):
        parser = configparser.RawConfigParser()
        try:
            parser.read(os.path.expanduser(env.get(variable) or usual))
        except (configparser.Error, OSError):
            continue
        for section in (profile, "profile " + profile):
            if parser.has_section(section):
                found.update(parser.items(section))
    if found.get("aws_access_key_id") and found.get("aws_secret_access_key"):
        return (found["aws_access_key_id"], found["aws_secret_access_key"], found.get("aws_session_token", "")), None
    if not found.get("credential_process"):
        return None
    who = "the credential_process of ~/.aws/config"
    try:
        printed = subprocess.run(shlex.split(found["credential_process"]), stdout=subprocess.PIPE, timeout=60, check=True)
        return keys_of(json.loads(printed.stdout.decode()), who)
    except (OSError, ValueError, subprocess.SubprocessError) as e:
        raise Refused("%s gives no keys: %s" % (who, type(e).__name__))


def whole(name):
    try:
        with open(name) as file:
            return file.read().strip()
    except OSError as e:
        raise Refused("the token in %s cannot be read: %s" % (name, e.strerror))


def asked(ask, who):
    """What ask answers, tried again while the service is busy or away."""
    for attempt in range(TRIES):
        try:
            return ask()
        except urllib.error.HTTPError as e:
            text = e.read(MIB).decode("utf-8", "replace")
            if e.code not in TRANSIENT:
                words = re.findall("<(?:Code|Message)>([^<]*)<", text)
                raise Refused("%s gives no keys: %s" % (who, " ".join(words) or "HTTP %d" % e.code))
            why = "HTTP %d" % e.code
        except (OSError, http.client.HTTPException) as e:
            why = str(e) or type(e).__name__
        wait(attempt)
    raise OSError("no answer from %s after %d tries: %s" % (who, TRIES, why))


