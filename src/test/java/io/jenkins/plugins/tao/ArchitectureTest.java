package io.jenkins.plugins.tao;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import io.jenkins.plugins.tao.backend.Target;
import io.jenkins.plugins.tao.job.JobOptions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;

/** The package map of docs/ARCHITECTURE.md, as a test. */
@AnalyzeClasses(locations = OurClasses.class)
class ArchitectureTest {
    private static final String ROOT = "io.jenkins.plugins.tao.";
    private static final String[] JENKINS = {
        "hudson..",
        "jenkins..",
        "org.jenkinsci..",
        "org.kohsuke..",
        "com.cloudbees..",
        "io.jenkins.plugins.checks..",
        "io.jenkins.plugins.opentelemetry..",
        "io.opentelemetry..",
        "io.prometheus.."
    };

    private static DescribedPredicate<JavaClass> ours(String... packages) {
        return resideInAPackage("io.jenkins.plugins.tao..").and(resideOutsideOfPackages(packages));
    }

    /** A package with those inside it; those inside {@code backend} are the adapters, each with a rule of its own. */
    private static String whole(String name) {
        return ROOT + (name.equals("backend") ? name : name + "..");
    }

    private static ArchRule mayUse(String name, String... others) {
        String[] allowed = new String[others.length + 1];
        allowed[0] = whole(name);
        for (int i = 0; i < others.length; i++) {
            allowed[i + 1] = whole(others[i]);
        }
        return noClasses()
                .that()
                .resideInAPackage(whole(name))
                .should()
                .dependOnClassesThat(ours(allowed))
                .because("docs/ARCHITECTURE.md gives " + name + " only: " + String.join(", ", others))
                .allowEmptyShould(true);
    }

    /** On the classes that are read for this test. */
    @ArchTest
    static final ArchTests layers = ArchTests.in(LayersTest.class);

    @ArchTest
    static final ArchRule jobIsTheFloor = mayUse("job");

    /** Lombok's annotations are for the compiler: nothing of them is there at run time. */
    @ArchTest
    static final ArchRule jobKnowsTheJdkAlone = noClasses()
            .that()
            .resideInAPackage(ROOT + "job..")
            .should()
            .dependOnClassesThat(resideOutsideOfPackages(
                    "java..",
                    "org.jspecify..",
                    "lombok..",
                    "net.gcardone.junidecode..",
                    "org.apache.commons.text.similarity..",
                    ROOT + "job.."));

    @ArchTest
    static final ArchRule bindMakesRecords = mayUse("bind", "job");

    @ArchTest
    static final ArchRule statusReadsForJob = mayUse("status", "job");

    @ArchTest
    static final ArchRule failureExplains = mayUse("failure", "job");

    @ArchTest
    static final ArchRule backendIsThePort = mayUse("backend", "job");

    @ArchTest
    static final ArchRule remoteIsTransport = mayUse("remote", "code", "backend", "job");

    @ArchTest
    static final ArchRule httpIsTransport = mayUse("http", "backend", "job");

    @ArchTest
    static final ArchRule specFillsIn = mayUse("spec", "remote", "backend", "job");

    @ArchTest
    static final ArchRule payloadIsWhatRunsInside = mayUse("payload", "http", "spec", "remote", "backend", "job");

    @ArchTest
    static final ArchRule slurmIsAnAdapter =
            mayUse("backend.slurm", "bind", "backend", "failure", "payload", "spec", "http", "remote", "job");

    @ArchTest
    static final ArchRule boxIsAnAdapter =
            mayUse("backend.box", "backend", "failure", "payload", "spec", "remote", "job");

    @ArchTest
    static final ArchRule kubernetesIsAnAdapter =
            mayUse("backend.kubernetes", "bind", "backend", "failure", "payload", "http", "remote", "job");

    @ArchTest
    static final ArchRule notebookIsAnAdapter =
            mayUse("backend.notebook", "bind", "backend", "spec", "http", "remote", "job");

    @ArchTest
    static final ArchRule leptonIsAnAdapter =
            mayUse("backend.lepton", "bind", "backend", "failure", "payload", "spec", "http", "job");

    @ArchTest
    static final ArchRule simulatedIsAnAdapter = mayUse("backend.simulated", "backend", "job");

    @ArchTest
    static final ArchRule monitorWatches = mayUse("monitor", "backend", "failure", "status", "job");

    @ArchTest
    static final ArchRule dispatchHasTheVerbs = mayUse("dispatch", "monitor", "backend", "job");

    @ArchTest
    static final ArchRule recordTellsOfARun = mayUse("record", "status", "job");

    @ArchTest
    static final ArchRule codeReadsDirectories = mayUse("code", "backend", "job");

    @ArchTest
    static final ArchRule placingSaysWhere = mayUse("placing", "journal", "monitor", "backend", "status", "job");

    @ArchTest
    static final ArchRule sweepIsPure = mayUse("sweep", "gate", "record", "status", "job");

    @ArchTest
    static final ArchRule fileIsWhatIsWritten =
            mayUse("file", "bind", "placing", "monitor", "sweep", "gate", "cost", "backend", "job");

    @ArchTest
    static final ArchRule gateJudgesRecords = mayUse("gate", "record", "job");

    @ArchTest
    static final ArchRule gateHasNoFiles = noClasses()
            .that()
            .resideInAPackage(ROOT + "gate..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.nio.file..", "java.net..");

    @ArchTest
    static final ArchRule costAddsUpRecords = mayUse("cost", "gate", "record", "job");

    @ArchTest
    static final ArchRule historyKeepsRecords = mayUse("history", "cost", "gate", "record", "job");

    @ArchTest
    static final ArchRule reportIsRead = mayUse("report", "gate", "record", "job");

    @ArchTest
    static final ArchRule nodesAreKept = mayUse("nodes", "monitor", "backend", "job");

    @ArchTest
    static final ArchRule journalWritesDown =
            mayUse("journal", "monitor", "backend", "failure", "report", "record", "job");

    @ArchTest
    static final ArchRule trackingTellsOthers = mayUse("tracking", "http", "journal", "record", "backend", "job");

    @ArchTest
    static final ArchRule cliIsADoor = mayUse(
            "cli",
            "tracking",
            "file",
            "bind",
            "dispatch",
            "journal",
            "history",
            "nodes",
            "report",
            "cost",
            "gate",
            "record",
            "monitor",
            "failure",
            "backend",
            "code",
            "sweep",
            "placing",
            "http",
            "remote",
            "job");

    @ArchTest
    static final ArchRule adaptersAreFoundNotUsed = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + "backend.*..", ROOT + "jenkins.config..")
            .should()
            .dependOnClassesThat(resideInAPackage(ROOT + "backend.*.."));

    @ArchTest
    static final ArchRule formsMakeTargetsAndOptionsOnly = noClasses()
            .that()
            .resideInAPackage(ROOT + "jenkins.config..")
            .should()
            .dependOnClassesThat(resideInAPackage(ROOT + "backend.*..")
                    .and(DescribedPredicate.not(assignableTo(Target.class)))
                    .and(DescribedPredicate.not(assignableTo(JobOptions.class)))
                    .and(DescribedPredicate.not(assignableTo(Record.class)))
                    .and(DescribedPredicate.describe(
                            "not nested in one of these",
                            c -> c.getEnclosingClass().isEmpty())))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noBackendKnowsAnother = slices().matching(ROOT + "backend.(*)..")
            .should()
            .notDependOnEachOther()
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching(ROOT + "(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule onlyTheDoorKnowsJenkins = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "jenkins..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(JENKINS)
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule fabricStaysInside = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "backend.kubernetes..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.fabric8..");

    @ArchTest
    static final ArchRule okHttpStaysInside = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "http")
            .and()
            .haveNameNotMatching(
                    ".*\\.(KubernetesApi|Server[A-Z][a-z]+)(\\$.*)?") // fabric8's client is configured by its OkHttp
            // builder alone
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("okhttp3..", "okio..");

    @ArchTest
    static final ArchRule awsStaysInside = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "payload")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("software.amazon..");

    @ArchTest
    static final ArchRule minaStaysInside = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "remote..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.sshd..");

    @ArchTest
    static final ArchRule jenkinsSavesNoRecords = noFields()
            .that()
            .areDeclaredInClassesThat()
            .resideInAPackage(ROOT + "jenkins..")
            .and()
            .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.TRANSIENT)
            .and()
            .doNotHaveModifier(com.tngtech.archunit.core.domain.JavaModifier.STATIC)
            .and()
            .areDeclaredInClassesThat(assignableTo(java.io.Serializable.class))
            .should()
            .haveRawType(assignableTo(Record.class))
            .because("XStream writes a record and reads back null")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule onlyMonitorOwnsTime = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + "monitor..", ROOT + "jenkins..", ROOT + "cli..")
            .and()
            .doNotHaveSimpleName("SimulatedType") // the clock of the place that it plays
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Clock.class, "systemUTC")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Random.class, SecureRandom.class)
            .because("a clock or a random of one's own cannot be simulated; take Clock or a seed");

    @ArchTest
    static final ArchRule nobodySleeps = noClasses().should().callMethod(Thread.class, "sleep", long.class);

    @ArchTest
    static final ArchRule staticsDoNotChange = fields().that()
            .areStatic()
            .and()
            .doNotHaveName("$jacocoData")
            .should()
            .beFinal()
            .because("mutable statics outlive what they belong to");

    @ArchTest
    static final ArchRule namesSayWhatThingsAre = classes()
            .should()
            .haveNameNotMatching(".*(Util|Utils|Helper|Manager|(?<!\\$Descriptor)Impl)$")
            .because("STYLE.md, Names; DescriptorImpl is what Jenkins calls a descriptor");
}
