package io.jenkins.plugins.tao.code;

import io.jenkins.plugins.tao.backend.SourceTree.Unfit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** What {@code git} says of a directory; an answer that does not come is an error and never "nothing". */
record GitFiles(Path directory) {
    private static final long SECONDS = 120;
    private static final int WORDS = 300;
    /** The exit code of {@code rev-parse --verify --quiet} where a name stands for nothing. */
    private static final int NO_COMMIT = 1;

    /** Empty where {@code directory} is in no checkout. */
    static Optional<GitFiles> of(Path directory) {
        for (Path above = directory; above != null; above = above.getParent()) {
            if (Files.exists(above.resolve(".git"))) {
                return Optional.of(new GitFiles(directory));
            }
        }
        return Optional.empty();
    }

    /** The tracked files below the directory, those of submodules too, relative to it. */
    List<String> tracked() throws IOException {
        List<String> names = new ArrayList<>();
        byte[] answer = git(0, "ls-files", "-z", "--cached", "--recurse-submodules");
        int from = 0;
        for (int at = 0; at < answer.length; at++) {
            if (answer[at] == 0) {
                names.add(name(answer, from, at));
                from = at + 1;
            }
        }
        return names.stream().distinct().toList();
    }

    private static String name(byte[] answer, int from, int to) throws Unfit {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(answer, from, to - from))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Unfit("the name '" + new String(answer, from, to - from, StandardCharsets.ISO_8859_1)
                    + "' is not in UTF-8");
        }
    }

    /** The commit that is checked out; empty before the first one. */
    Optional<String> commit() throws IOException {
        String text = text(git(NO_COMMIT, "rev-parse", "--verify", "--quiet", "HEAD"));
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** Whether tracked files differ from the commit. */
    boolean dirty() throws IOException {
        return !text(git(0, "status", "--porcelain", "--untracked-files=no", "--", "."))
                .isEmpty();
    }

    private static String text(byte[] answer) {
        return new String(answer, StandardCharsets.UTF_8).strip();
    }

    private byte[] git(int fine, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        Process process;
        try {
            process = new ProcessBuilder(command).directory(directory.toFile()).start();
        } catch (IOException e) {
            throw new Unfit("it is in a Git checkout, and the program git cannot be started: " + e.getMessage());
        }
        process.getOutputStream().close();
        CompletableFuture<byte[]> said = CompletableFuture.supplyAsync(() -> all(process.getErrorStream()));
        CompletableFuture<byte[]> answer = CompletableFuture.supplyAsync(() -> all(process.getInputStream()));
        return ended(process, fine, answer, said);
    }

    private static byte[] ended(
            Process process, int fine, CompletableFuture<byte[]> answer, CompletableFuture<byte[]> said) throws Unfit {
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new Unfit("git gave no answer within " + SECONDS + " s");
            }
            byte[] bytes = answer.get(SECONDS, TimeUnit.SECONDS);
            if (process.exitValue() != 0 && process.exitValue() != fine) {
                String words = text(said.get(SECONDS, TimeUnit.SECONDS)).replaceAll("\\s+", " ");
                throw new Unfit("git failed: " + words.substring(0, Math.min(WORDS, words.length())));
            }
            return bytes;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            throw new Unfit("git was interrupted");
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new Unfit("the answer of git could not be read");
        }
    }

    private static byte[] all(java.io.InputStream stream) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            stream.transferTo(bytes);
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
