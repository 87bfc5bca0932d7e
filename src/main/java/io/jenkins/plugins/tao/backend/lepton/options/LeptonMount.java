package io.jenkins.plugins.tao.backend.lepton.options;

import static io.jenkins.plugins.tao.job.Require.require;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A directory of a volume in a job's container.
 *
 * @param type how Lepton reaches the volume, such as {@code nfs}; empty to ask the node group
 * @param volume the volume's name; {@code local} with the type {@code local} is the node's own disk
 * @param path a directory inside the volume, {@code /} for all of it
 * @param mountPath where the container sees it
 * @param readOnly whether it may not be written
 */
public record LeptonMount(Optional<String> type, String volume, String path, String mountPath, boolean readOnly) {
    private static final Pattern FORM =
            Pattern.compile("(?:node-([a-z0-9]+):)?([A-Za-z0-9][A-Za-z0-9._-]*)(?::(/[^=:]*))?=(/[^:]*)(:ro)?");
    private static final String FORBIDDEN =
            "/ /bin /boot /dev /etc /lib /lib64 /media /opt /proc /run /sbin /srv /sys /usr /usr/bin /usr/lib"
                    + " /usr/local /usr/sbin /var /sys/fs/cgroup /sys/kernel/security /proc/sys /proc/bus";
    private static final Set<String> SYSTEM = Set.copyOf(List.of(FORBIDDEN.split(" ")));
    private static final Pattern LUSTRE = Pattern.compile(".*lustre.*", Pattern.CASE_INSENSITIVE);
    private static final Pattern FILESTORE = Pattern.compile(".*filestore.*", Pattern.CASE_INSENSITIVE);

    /** Reads {@code volume=/mnt/point}, {@code volume:/dir=/mnt/point} or {@code node-nfs:volume:/dir=/mnt/point:ro}. */
    public static LeptonMount parse(String text) {
        Matcher match = FORM.matcher(text.strip());
        require(
                match.matches(),
                "'%s' is no mount; write volume:/directory/in/volume=/mnt/point, with :ro to only read it",
                text);
        String path = match.group(3) == null
                ? "/"
                : Path.of(match.group(3)).normalize().toString();
        String mountPath =
                Path.of(match.group(4).replaceAll("/+", "/")).normalize().toString();
        require(
                !SYSTEM.contains(mountPath),
                "a volume cannot be mounted at %s, which belongs to the system; use a directory such as /mnt/lustre",
                mountPath);
        return new LeptonMount(
                Optional.ofNullable(match.group(1)), match.group(2), path, mountPath, match.group(5) != null);
    }

    /** The one mount of a job that asks for none: Lustre before Filestore before the first. */
    public static Optional<LeptonMount> preferred(List<LeptonVolume> volumes) {
        return volumes.stream()
                .filter(volume -> LUSTRE.matcher(volume.name()).matches())
                .findFirst()
                .or(() -> volumes.stream()
                        .filter(volume -> FILESTORE.matcher(volume.name()).matches())
                        .findFirst())
                .or(() -> volumes.stream().findFirst())
                .map(volume -> new LeptonMount(Optional.of(volume.type()), volume.name(), "/", point(volume), false));
    }

    private static String point(LeptonVolume volume) {
        String requested = volume.defaultMountPath();
        boolean usable = requested.startsWith("/")
                && !SYSTEM.contains(Path.of(requested).normalize().toString());
        return usable
                ? Path.of(requested).normalize().toString()
                : "/mnt/" + (LUSTRE.matcher(volume.name()).matches() ? "lustre" : volume.name());
    }

    /** The same on the volume's own path {@code other}. */
    public LeptonMount at(String other) {
        return new LeptonMount(type, volume, other, mountPath, readOnly);
    }

    /** The same with the type that the node group tells. */
    public LeptonMount typed(List<LeptonVolume> volumes) {
        Optional<String> told = volumes.stream()
                .filter(each -> each.name().equals(volume))
                .map(LeptonVolume::type)
                .findFirst();
        return type.isPresent() ? this : new LeptonMount(told, volume, path, mountPath, readOnly);
    }

    /** Lepton's word for the volume: {@code node-nfs:name}, {@code node-local}. */
    public String from() {
        String word = type.orElse("nfs");
        return word.equals("local") ? "node-local" : "node-" + word + ":" + volume;
    }
}
