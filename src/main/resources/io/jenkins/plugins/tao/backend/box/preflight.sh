# What is asked before a job; each line of the answer is "word value". Writes nothing.
echo "user $(id -un)"
tao_writable() {
  tao_d=$(tao_near "$1")
  [ -d "$tao_d" ] && [ -w "$tao_d" ] && [ -x "$tao_d" ]
}
if tao_writable "$tao_base"; then echo 'writable 1'; else echo "writable 0 $tao_d"; fi
tao_writable "$tao_results" || echo "results $tao_d"
[ -z "$tao_fetches" ] || tao_writable "$tao_data" || echo "data $tao_d"
# One line for each file system, by its mount point: what is free changes between two questions.
for tao_d in "$tao_base" "$tao_results" "$tao_data"; do
  echo "$(df -P -- "$(tao_near "$tao_d")" 2>/dev/null | awk 'NR == 2 { print $6 }') $(tao_room "$tao_d") $tao_d"
done | awk '!seen[$1]++ { sub(/^[^ ]* /, ""); print }'
for tao_p in bash setsid flock stat tail head awk sed tr xargs grep df sha256sum base64; do
  command -v "$tao_p" >/dev/null 2>&1 || echo "missing $tao_p"
done
! command -v tmux >/dev/null 2>&1 || echo "tmux 1"
if [ -n "$tao_plain" ] && tao_p=$(command -v python3 || command -v python); then
  echo "python $tao_p, $("$tao_p" --version 2>&1 | head -n 1)"
fi
if [ "$tao_wanted" != 0 ]; then
  echo "driver $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1)"
  tao_claims=
  for tao_file in "$tao_base"/gpus/held/gpu-*; do
    read -r tao_owner 2>/dev/null <"$tao_file" || continue
    tao_live "$tao_owner" || continue
    tao_owner=${tao_owner%/*}
    tao_claims="${tao_claims}held ${tao_file##*/gpu-} ${tao_owner##*/}
"
  done
  { printf %s "$tao_claims"; tao_gpus; } | tao_free
  [ -z "$tao_plain" ] ||
    echo "torch $(timeout 30 python3 -c 'import torch; print(torch.cuda.is_available())' 2>/dev/null)"
fi
# A client that does not reach its daemon, or may not, prints a version too: only what the working whole says counts.
case $tao_runtime in
  docker) tao_p=$(timeout 20 docker version --format '{{.Server.Version}}' 2>/dev/null) && echo "runtime $tao_p" ;;
  podman) tao_p=$(timeout 20 podman info --format '{{.Version.Version}}' 2>/dev/null) && echo "runtime $tao_p" ;;
  apptainer) tao_p=$(timeout 20 apptainer version 2>/dev/null) && echo "runtime $tao_p" ;;
esac
# How GPUs get into a container: by NVIDIA's runtime or its hook with docker, by the devices of CDI with podman and newer dockers.
if [ "$tao_wanted" != 0 ]; then
  tao_p=$(grep -ls 'nvidia.com/gpu' /etc/cdi/* /var/run/cdi/* 2>/dev/null | head -n 1)
  [ -z "$tao_p" ] || echo "cdi $tao_p"
  if [ "$tao_runtime" = docker ]; then
    case $(timeout 20 docker info --format '{{json .Runtimes}}' 2>/dev/null) in *'"nvidia"'*) echo 'hook the runtime nvidia' ;; esac
    ! tao_p=$(command -v nvidia-container-runtime-hook) || echo "hook $tao_p"
  fi
fi
if [ -n "$tao_cred" ]; then
  if [ ! -r "$tao_cred" ]; then echo "credentials is not there or cannot be read"
  elif [ "$(stat -c %a "$tao_cred")" != 600 ] && [ "$(stat -c %a "$tao_cred")" != 400 ]; then
    echo "credentials has the mode $(stat -c %a "$tao_cred"), others may read it"
  else
    case $(stat -f -c %T "$tao_cred") in
      nfs* | lustre | cifs | smb* | fuse* | gpfs | beegfs | afs | ceph | 9p | v9fs) echo "credentials lies on a shared file system" ;;
      *) echo "credentials ok" ;;
    esac
  fi
fi
if [ -n "$tao_code" ] && [ ! -d "$tao_code" ]; then echo "code missing"; fi
