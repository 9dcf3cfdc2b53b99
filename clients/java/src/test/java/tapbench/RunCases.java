package tapbench;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.util.stream.Stream;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the tests of classes, prints what failed, and exits with 1 if a test did. */
final class RunCases {
    private RunCases() {
    }

    public static void main(String[] arguments) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        Stream.of(arguments).forEach(name -> request.selectors(selectClass(name)));
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request.build(), listener);
        PrintWriter out = new PrintWriter(System.out, true);
        listener.getSummary().printFailuresTo(out, 50);
        listener.getSummary().printTo(out);
        System.exit(listener.getSummary().getTotalFailureCount() > 0 ? 1 : 0);
    }
}
