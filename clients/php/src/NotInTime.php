<?php

declare(strict_types=1);

namespace Tapbench;

/** What a test waited for did not happen in time. */
final class NotInTime extends \RuntimeException
{
}
