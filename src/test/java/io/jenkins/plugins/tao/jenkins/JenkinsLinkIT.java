package io.jenkins.plugins.tao.jenkins;

import static org.assertj.core.api.Assertions.assertThat;

import io.jenkins.plugins.tao.NeedsJenkins;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The signatures that the plugin was compiled against are those of the real Jenkins. */
@NeedsJenkins
class JenkinsLinkIT {
    private static final ClassFiles REAL = new ClassFiles();

    @BeforeAll
    static void readTheRealJenkins() throws IOException {
        REAL.addArchive(RealJenkins.war());
        for (Path plugin : RealJenkins.plugins()) {
            REAL.addArchive(plugin);
        }
    }

    @Test
    void everyUseOfJenkinsFitsTheRealOne() throws IOException {
        ClassFiles plugin = new ClassFiles();
        plugin.addArchive(RealJenkins.builtPlugin());
        REAL.all().putAll(plugin.all());
        LinkCheck check = new LinkCheck(REAL);

        plugin.all().values().forEach(check::check);

        assertThat(check.differences()).isEmpty();
        assertThat(check.uses()).isGreaterThan(200);
    }

    @Test
    void aWrongReturnTypeIsNamed() {
        LinkCheck check = new LinkCheck(REAL);

        check.check(calling(Opcodes.INVOKEVIRTUAL, "hudson/model/Run", "getUrl", "()Ljava/lang/Object;", false));

        assertThat(check.differences())
                .containsExactly("planted.Caller: there is no method hudson.model.Run.getUrl ()Ljava/lang/Object;");
    }

    @Test
    void aClassTakenForAnInterfaceIsNamed() {
        LinkCheck check = new LinkCheck(REAL);

        check.check(calling(Opcodes.INVOKEINTERFACE, "hudson/model/Run", "getUrl", "()Ljava/lang/String;", true));

        assertThat(check.differences())
                .containsExactly("planted.Caller: hudson.model.Run is a class, which calls of getUrl do not expect");
    }

    @Test
    void anInstanceMethodTakenForAStaticOneIsNamed() {
        LinkCheck check = new LinkCheck(REAL);

        check.check(calling(Opcodes.INVOKESTATIC, "hudson/model/Run", "getUrl", "()Ljava/lang/String;", false));

        assertThat(check.differences())
                .containsExactly("planted.Caller: method hudson.model.Run.getUrl ()Ljava/lang/String; is not static");
    }

    @Test
    void aMissingTypeIsNamed() {
        LinkCheck check = new LinkCheck(REAL);

        check.check(calling(Opcodes.INVOKESTATIC, "hudson/model/Nowhere", "get", "()V", false));

        assertThat(check.differences()).containsExactly("planted.Caller: there is no type hudson.model.Nowhere");
    }

    @Test
    void aMissingMethodIsNamed() {
        LinkCheck check = new LinkCheck(REAL);

        check.check(extending("org/jenkinsci/plugins/workflow/steps/StepContext"));

        assertThat(check.differences())
                .contains(
                        "planted.Caller is without method org.jenkinsci.plugins.workflow.steps.StepContext.hashCode ()I")
                .noneMatch(line -> line.contains("hasBody"));
    }

    private static byte[] extending(String type) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "planted/Caller", null, type, null);
        writer.visitEnd();
        return writer.toByteArray();
    }

    private static byte[] calling(int how, String owner, String name, String descriptor, boolean ofInterface) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "planted/Caller", null, "java/lang/Object", null);
        MethodVisitor method = writer.visitMethod(Opcodes.ACC_STATIC, "call", "()V", null, null);
        method.visitMethodInsn(how, owner, name, descriptor, ofInterface);
        method.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }
}
