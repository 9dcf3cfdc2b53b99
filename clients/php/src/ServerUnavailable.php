<?php

declare(strict_types=1);

namespace Tapbench;

/** No server replies at the address, or none could be found or started. */
final class ServerUnavailable extends \RuntimeException
{
}
