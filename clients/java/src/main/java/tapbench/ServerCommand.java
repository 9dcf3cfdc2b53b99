package tapbench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the command {@code tapbench}. */
final class ServerCommand {
    /** A word, of which parts may be in single or double quotes. */
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|\"[^\"]*\"|[^\\s'\"])+");

    private static final Pattern PART = Pattern.compile("'([^']*)'|\"([^\"]*)\"|([^'\"]+)");

    private ServerCommand() {
    }

    /** Returns TAPBENCH_COMMAND, or what is installed in a folder, one above it, or PATH. */
    static Optional<List<String>> find(Map<String, String> environment, Path folder) {
        String command = environment.getOrDefault("TAPBENCH_COMMAND", "");
        if (!command.isBlank()) {
            return Optional.of(words(command));
        }
        List<Path> places = new ArrayList<>();
        for (Path place = folder.toAbsolutePath(); place != null; place = place.getParent()) {
            places.add(place.resolve("node_modules/.bin/tapbench"));
        }
        for (String place : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
            places.add(Path.of(place, "tapbench"));
        }
        return places.stream().filter(ServerCommand::isProgram).findFirst().map(found -> List.of(found.toString()));
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    /** Returns the words of a command line, without their quotes. */
    static List<String> words(String command) {
        return WORD.matcher(command).results().map(word -> withoutQuotes(word.group())).toList();
    }

    private static String withoutQuotes(String word) {
        StringBuilder text = new StringBuilder();
        for (Matcher part = PART.matcher(word); part.find(); ) {
            for (int group = 1; group <= part.groupCount(); group++) {
                text.append(part.group(group) == null ? "" : part.group(group));
            }
        }
        return text.toString();
    }
}
