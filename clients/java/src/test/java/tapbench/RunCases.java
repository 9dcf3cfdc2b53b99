package tapbench;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the tests of a class, prints what failed, and exits with 1 if a test did. */
final class RunCases {
    private RunCases() {
    }

    public static void main(String[] arguments) {
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectClass(arguments[0])).build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        PrintWriter out = new PrintWriter(System.out, true);
        listener.getSummary().printFailuresTo(out, 50);
        listener.getSummary().printTo(out);
        System.exit(listener.getSummary().getTotalFailureCount() > 0 ? 1 : 0);
    }
}
