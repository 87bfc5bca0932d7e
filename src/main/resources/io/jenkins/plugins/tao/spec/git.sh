# ---- the commit that the command starts in; POSIX sh ----
# Inputs: tao_git_url, tao_git_commit, tao_git_secret (the name of a variable; empty for none), tao_git_ssh (not empty where it is a key).
# Leaves the commit, read-only, in .tao/code/COMMIT of the results directory, starts there, and sets TAO_CODE_DIR. The secret stays in its
# variable, or in a file of mode 600 while Git asks: it is in no address and no list of processes, and the command does not get it.
tao_git_fail() {
  printf 'tao: ERROR: %s; the command was not started\n' "$*" >&2
  [ -z "$tao_git_key" ] || rm -f -- "$tao_git_key"
  [ ! -d "$tao_git_part" ] || { chmod -R u+w -- "$tao_git_part"; rm -rf -- "$tao_git_part"; }
  exit 66
}

# Git asks this for a user and a password; it reads both from the variable only when it is asked.
tao_git_helper='!f() { [ "$1" = get ] || exit 0
  eval "tao_git_value=\$$TAO_GIT_VARIABLE"
  case $tao_git_value in *:*) ;; *) tao_git_value=x-access-token:$tao_git_value ;; esac
  printf "username=%s\npassword=%s\n" "${tao_git_value%%:*}" "${tao_git_value#*:}"; }; f'

# The helpers of the image or its users are not asked, and no hook of the repository runs.
tao_git_run() {
  if [ -n "$tao_git_secret" ] && [ -z "$tao_git_ssh" ]; then
    git -c core.hooksPath=/dev/null -c safe.directory='*' -c credential.helper= -c credential.helper="$tao_git_helper" "$@"
  else
    git -c core.hooksPath=/dev/null -c safe.directory='*' -c credential.helper= "$@"
  fi
}

# A server that does not give single commits gives branches and tags.
tao_git_fetch() {
  tao_git_run -C "$tao_git_part" fetch -q --depth 1 "$tao_git_url" "$tao_git_commit" 2> "$tao_git_part/.git/tao-said" ||
    tao_git_run -C "$tao_git_part" fetch -q "$tao_git_url" '+refs/heads/*:refs/tao/heads/*' '+refs/tags/*:refs/tao/tags/*' 2> "$tao_git_part/.git/tao-said"
}

tao_git_take() {
  command -v git > /dev/null || tao_git_fail "git is not in this image or on this machine, and the code of the job is a Git address"
  mkdir -p -- "${tao_git_part%/*}" || tao_git_fail "the directory ${tao_git_part%/*} cannot be made"
  if [ -n "$tao_git_ssh" ]; then
    # In memory where that can be: what is killed hard leaves its key there, and not on a disk.
    tao_git_key=$(mktemp /dev/shm/tao-git.XXXXXX 2> /dev/null) || tao_git_key=$tao_git_part.key
    (umask 077 && eval "printf '%s\n' \"\$$tao_git_secret\"" > "$tao_git_key") || tao_git_fail "the key of the repository cannot be put on ${tao_git_key%/*}"
    # Which files come is proved by the commit, whoever the server is.
    GIT_SSH_COMMAND='ssh -i "$TAO_GIT_KEY" -o IdentitiesOnly=yes -o BatchMode=yes -o StrictHostKeyChecking=accept-new'
    TAO_GIT_KEY=$tao_git_key
    export GIT_SSH_COMMAND TAO_GIT_KEY
  fi
  TAO_GIT_VARIABLE=$tao_git_secret GIT_TERMINAL_PROMPT=0
  export TAO_GIT_VARIABLE GIT_TERMINAL_PROMPT
  tao_git_run init -q "$tao_git_part" || tao_git_fail "no repository can be made in $tao_git_part"
  tao_git_fetch || tao_git_fail "$tao_git_url could not be fetched: $(tail -n 3 "$tao_git_part/.git/tao-said" | tr '\n' ' ')"
  rm -f -- "$tao_git_part/.git/tao-said"
  tao_git_run -C "$tao_git_part" -c advice.detachedHead=false checkout -q --detach "$tao_git_commit" 2> /dev/null ||
    tao_git_fail "$tao_git_url has no commit $tao_git_commit that can be fetched: push it, or name one that is on a branch or a tag"
  [ ! -e "$tao_git_part/.gitmodules" ] || tao_git_run -C "$tao_git_part" submodule -q update --init --recursive --depth 1 ||
    tao_git_fail "the submodules of $tao_git_url could not be fetched"
  [ "$(tao_git_run -C "$tao_git_part" rev-parse HEAD)" = "$tao_git_commit" ] || tao_git_fail "$tao_git_url gave another commit than $tao_git_commit"
  [ -z "$tao_git_key" ] || rm -f -- "$tao_git_key"
  chmod -R a-w -- "$tao_git_part"
  # Another node or pod of this job may have been first. A directory that is read-only cannot be moved into another one.
  chmod u+w -- "$tao_git_part"
  [ -d "$TAO_CODE_DIR" ] || mv -T -- "$tao_git_part" "$TAO_CODE_DIR" 2> /dev/null || [ -d "$TAO_CODE_DIR" ] ||
    tao_git_fail "the code cannot be put to $TAO_CODE_DIR"
  if [ -d "$tao_git_part" ]; then
    chmod -R u+w -- "$tao_git_part"
    rm -rf -- "$tao_git_part"
  fi
  chmod a-w -- "$TAO_CODE_DIR"
  printf 'tao: the code of the job is commit %s of %s\n' "$tao_git_commit" "$tao_git_url" >&2
}

TAO_CODE_DIR=$TAO_RESULTS_DIR/.tao/code/$tao_git_commit
tao_git_part=$TAO_CODE_DIR.$(uname -n).$$.part
tao_git_key=
find /dev/shm "$TAO_RESULTS_DIR/.tao/code" -maxdepth 1 -user "$(id -u)" \( -name 'tao-git.*' -o -name '*.key' \) -mmin +60 \
  -exec rm -f -- {} + 2> /dev/null
if [ ! -d "$TAO_CODE_DIR" ]; then
  (
    trap '[ -z "$tao_git_key" ] || rm -f -- "$tao_git_key"' EXIT
    trap 'exit 143' HUP INT TERM
    tao_git_take
  ) || exit
fi
[ -z "$tao_git_secret" ] || unset "$tao_git_secret"
unset GIT_SSH_COMMAND TAO_GIT_KEY TAO_GIT_VARIABLE
cd -- "$TAO_CODE_DIR" || tao_git_fail "the directory $TAO_CODE_DIR cannot be entered"
export TAO_CODE_DIR PYTHONDONTWRITEBYTECODE="${PYTHONDONTWRITEBYTECODE-1}"
