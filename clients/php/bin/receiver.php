<?php

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

(new Tapbench\ReceiverProcess($argv[1], $argv[2]))->run();
