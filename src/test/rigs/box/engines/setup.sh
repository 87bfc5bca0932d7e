# sourced by up: what the box with real engines needs before it starts, and the image of its jobs.
engines() { # the machine's directory
  local m=$1 runtime=crun docker_runtime=runc
  mkdir -p "$STATE"/engines/{bin,etc} "$m"/{containers,cdi,dockerd/data} "$m/home/.config/containers"
  install -m 755 "$RIG/engines/norlimit" "$STATE/engines/bin/norlimit"
  ln -sf norlimit "$STATE/engines/bin/norlimit-runc"
  install -m 755 "$RIG/engines/dockerd" "$STATE/engines/bin/rig-dockerd"
  install -m 755 "$RIG"/bin/{nvidia-smi,dmesg} "$STATE/engines/bin/"
  cp -a /etc/containers/. "$STATE/engines/etc/"
  # without CAP_SYS_RESOURCE root raises no limit either; on an ordinary machine the runtimes are used as they are
  local capabilities=$(sed -n 's/^CapEff:[[:space:]]*/0x/p' /proc/self/status)
  (((capabilities >> 24) & 1)) || runtime=norlimit docker_runtime=norlimit-runc
  printf '[containers]\nnetns = "host"\n[engine]\nruntime = "%s"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n[engine.runtimes]\nnorlimit = ["/usr/local/bin/norlimit"]\n' $runtime \
    > "$STATE/engines/etc/containers.conf"
  printf '[engine]\nruntime = "crun"\n' > "$m/home/.config/containers/containers.conf"
  printf '{"iptables": false, "ip6tables": false, "bridge": "none", "live-restore": true, "data-root": "%s", "exec-root": "/run/docker", "pidfile": "/run/docker.pid", "default-runtime": "%s", "runtimes": {"norlimit-runc": {"path": "/usr/local/bin/norlimit-runc"}}}\n' \
    /box/.machine/dockerd/data $docker_runtime > "$m/dockerd/daemon.json"
  usermod -aG docker tao
  grep -q '^tao:' /etc/subuid || usermod --add-subuids 100000-165535 --add-subgids 100000-165535 tao
  chown -R tao: "$m/home" "$m/cdi"
  sed -i 's/^PermitRootLogin no$/PermitRootLogin prohibit-password/; s/^AllowUsers tao$/AllowUsers tao root/' "$K/$ENGINES.conf"
  "$RIG/engines/image" "$STATE/engines/image.tar"
}
load_images() { # the image localhost/tao:1, for podman of both users and for docker
  local box="ssh -F $STATE/keys/ssh_config" f=$STATE/engines/image.tar pids=()
  $box "$ENGINES" "podman import -q $f localhost/tao:1 > /dev/null" & pids+=($!)
  $box -l root "$ENGINES" "podman import -q $f localhost/tao:1 > /dev/null" & pids+=($!)
  $box "$ENGINES" "docker import $f localhost/tao:1 > /dev/null" & pids+=($!)
  local p; for p in "${pids[@]}"; do wait "$p" || die "the image could not be imported on $ENGINES"; done
}
