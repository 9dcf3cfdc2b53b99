<?php

declare(strict_types=1);

/** Loads the classes of this package, for projects without Composer. */
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/src/' . str_replace(['Tapbench\\', '\\'], ['', '/'], $class) . '.php';
    if (str_starts_with($class, 'Tapbench\\') && is_file($file)) {
        require $file;
    }
});
