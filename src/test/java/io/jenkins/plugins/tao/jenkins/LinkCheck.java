package io.jenkins.plugins.tao.jenkins;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Compares each use that some classes make of types outside of them with the real types, as the Java virtual machine
 * would when it links them: is the type there, class or interface as expected, not final where extended; is there a
 * member of that name and exact descriptor in it or above it, static as expected; has a class that can be made all
 * methods that its supertypes are without.
 */
final class LinkCheck {
    private static final String[] JENKINS = {
        "hudson/", "jenkins/", "org/jenkinsci/", "org/kohsuke/", "com/cloudbees/", "net/sf/json/", "org/jvnet/"
    };

    private final ClassFiles real;
    private final Set<String> differences = new TreeSet<>();
    private int uses;

    /** {@code real} are the real types, and those of the checked classes that others of them extend. */
    LinkCheck(ClassFiles real) {
        this.real = real;
    }

    /** What was found, one line each, sorted. */
    Set<String> differences() {
        return differences;
    }

    int uses() {
        return uses;
    }

    void check(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        String from = reader.getClassName().replace('/', '.');
        reader.accept(new Uses(from), ClassReader.SKIP_DEBUG);
        if ((reader.getAccess() & Opcodes.ACC_ABSTRACT) == 0) {
            missing(from, reader, new TreeSet<>());
        }
    }

    /** Names the methods without a body in {@code type} and above it that are not {@code written} below it. */
    private void missing(String from, ClassReader type, Set<String> written) {
        boolean ofJenkins = ofJenkins(type.getClassName());
        type.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public @Nullable MethodVisitor visitMethod(
                            int flags, String name, String descriptor, String signature, String[] exceptions) {
                        String method = name + " " + descriptor;
                        if ((flags & Opcodes.ACC_ABSTRACT) == 0) {
                            written.add(method);
                        } else if (ofJenkins && !written.contains(method)) {
                            differences.add(from + " is without method "
                                    + type.getClassName().replace('/', '.') + "." + method);
                        }
                        return null;
                    }
                },
                ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        Stream.concat(Stream.ofNullable(type.getSuperName()), Stream.of(type.getInterfaces()))
                .flatMap(above -> known(above).stream())
                .forEach(above -> missing(from, above, written));
    }

    private Optional<ClassReader> known(String type) {
        try {
            return real.find(type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean ofJenkins(String type) {
        for (String prefix : JENKINS) {
            if (type.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private Optional<ClassReader> type(String from, String name) {
        Optional<ClassReader> found = known(name);
        if (found.isEmpty()) {
            differences.add(from + ": there is no type " + name.replace('/', '.'));
        }
        return found;
    }

    private void superType(String from, String name, boolean asInterface) {
        if (!ofJenkins(name)) {
            return;
        }
        uses++;
        type(from, name).ifPresent(reader -> {
            boolean isInterface = (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0;
            if (isInterface != asInterface) {
                differences.add(
                        from + ": " + name.replace('/', '.') + " is " + (isInterface ? "an interface" : "a class"));
            }
            if ((reader.getAccess() & Opcodes.ACC_FINAL) != 0) {
                differences.add(from + ": " + name.replace('/', '.') + " is final and cannot be extended");
            }
        });
    }

    private void member(String from, Member member) {
        if (!ofJenkins(member.owner())) {
            return;
        }
        uses++;
        Optional<ClassReader> owner = type(from, member.owner());
        if (owner.isEmpty()) {
            return;
        }
        boolean isInterface = (owner.get().getAccess() & Opcodes.ACC_INTERFACE) != 0;
        if (member.method() && isInterface != member.ofInterface()) {
            differences.add(
                    from + ": " + member.owner().replace('/', '.') + " is " + (isInterface ? "an interface" : "a class")
                            + ", which calls of " + member.name() + " do not expect");
        }
        Optional<Integer> access = find(from, member.owner(), member);
        if (access.isEmpty()) {
            differences.add(from + ": there is no " + member);
        } else if (((access.get() & Opcodes.ACC_STATIC) != 0) != member.isStatic()) {
            differences.add(from + ": " + member + (member.isStatic() ? " is not static" : " is static"));
        } else if ((access.get() & Opcodes.ACC_PRIVATE) != 0) {
            differences.add(from + ": " + member + " is private");
        }
    }

    /** Access flags of the member in the type or above it. */
    private Optional<Integer> find(String from, String owner, Member member) {
        Optional<ClassReader> reader = type(from, owner);
        if (reader.isEmpty()) {
            return Optional.empty();
        }
        Optional<Integer> own = member.in(reader.get());
        if (own.isPresent() || member.name().equals("<init>")) {
            return own;
        }
        String parent = reader.get().getSuperName();
        if (parent != null) {
            Optional<Integer> above = find(from, parent, member);
            if (above.isPresent()) {
                return above;
            }
        }
        for (String each : reader.get().getInterfaces()) {
            Optional<Integer> above = find(from, each, member);
            if (above.isPresent()) {
                return above;
            }
        }
        return Optional.empty();
    }

    /** A field or method as a class file names it. */
    private record Member(
            String owner, String name, String descriptor, boolean method, boolean isStatic, boolean ofInterface) {

        Optional<Integer> in(ClassReader type) {
            int[] access = {-1};
            type.accept(
                    new ClassVisitor(Opcodes.ASM9) {
                        @Override
                        public @Nullable MethodVisitor visitMethod(
                                int flags, String its, String described, String signature, String[] exceptions) {
                            if (method && its.equals(name) && described.equals(descriptor)) {
                                access[0] = flags;
                            }
                            return null;
                        }

                        @Override
                        public @Nullable FieldVisitor visitField(
                                int flags, String its, String described, String signature, Object value) {
                            if (!method && its.equals(name) && described.equals(descriptor)) {
                                access[0] = flags;
                            }
                            return null;
                        }
                    },
                    ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            return access[0] < 0 ? Optional.empty() : Optional.of(access[0]);
        }

        @Override
        public String toString() {
            return (method ? "method " : "field ") + owner.replace('/', '.') + "." + name + " " + descriptor;
        }
    }

    /** Collects the uses of one class. */
    private final class Uses extends ClassVisitor {
        private final String from;

        Uses(String from) {
            super(Opcodes.ASM9);
            this.from = from;
        }

        @Override
        public void visit(
                int version, int access, String name, String signature, String superName, String[] interfaces) {
            superType(from, superName, false);
            for (String each : interfaces) {
                superType(from, each, true);
            }
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int op, String owner, String its, String described, boolean ofInterface) {
                    boolean isStatic = op == Opcodes.INVOKESTATIC;
                    member(from, new Member(owner, its, described, true, isStatic, ofInterface));
                }

                @Override
                public void visitFieldInsn(int op, String owner, String its, String described) {
                    boolean isStatic = op == Opcodes.GETSTATIC || op == Opcodes.PUTSTATIC;
                    member(from, new Member(owner, its, described, false, isStatic, false));
                }

                @Override
                public void visitTypeInsn(int op, String type) {
                    if (ofJenkins(type)) {
                        uses++;
                        type(from, type);
                    }
                }

                @Override
                public void visitInvokeDynamicInsn(String its, String described, Handle maker, Object... arguments) {
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle) {
                            handle(from, handle);
                        }
                    }
                }
            };
        }
    }

    private void handle(String from, Handle handle) {
        boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
        member(
                from,
                new Member(
                        handle.getOwner(), handle.getName(), handle.getDesc(), true, isStatic, handle.isInterface()));
    }
}
