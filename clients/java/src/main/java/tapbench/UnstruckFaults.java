package tapbench;

import java.util.List;

/** Faults that a test put on its sandbox struck nothing, so it did not test them. */
public final class UnstruckFaults extends AssertionError {
    private static final long serialVersionUID = 1;

    UnstruckFaults(List<Json> faults) {
        super(inWords(faults));
    }

    private static String inWords(List<Json> faults) {
        StringBuilder words = new StringBuilder(
                "the test did not test these faults, which struck nothing (allowUnstruck permits it):");
        faults.forEach(fault -> words.append("\n  ").append(fault));
        return words.toString();
    }
}
