package io.jenkins.plugins.tao.backend;

import java.nio.file.Path;
import java.util.List;

/**
 * What a {@link Backend} offers besides when its machine is one that its users look after and pay for. Like a backend's,
 * its methods may block on the network.
 */
public interface Machine {
    /** How the machine is, in lines for a person: GPUs and who uses them, disks, jobs, age. */
    List<String> look() throws BackendException;

    /** The largest directories, in lines for a person; nothing is deleted. */
    List<String> largest() throws BackendException;

    /** What a person types to reach {@code port} of the machine. */
    String tunnel(int port);

    /** Sends that many bytes and throws them away there, on the route that everything else takes. */
    void send(long bytes) throws BackendException;

    /** Receives that many bytes and throws them away. */
    void receive(long bytes) throws BackendException;

    /**
     * Brings a directory there as a new version of {@code name}; what is there already is not sent again, and a version that
     * a job uses is never changed.
     *
     * @return lines for a person: where it lies, what was sent, what was repaired
     */
    List<String> push(Path directory, String name) throws BackendException;

    /** What is owed to whoever pays for the machine, with its age, in lines for a person; empty when it is nobody's bill. */
    List<String> reminder() throws BackendException;

    /**
     * Releases the machine by its configured command. A person must have approved that.
     *
     * @param leaveResults whether results may be lost that are not at home
     * @throws BackendException.Rejected if jobs run, or results are not proved to be at home and may not be lost
     */
    List<String> release(boolean leaveResults) throws BackendException;
}
