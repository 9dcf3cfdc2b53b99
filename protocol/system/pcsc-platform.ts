import { THIS_SYSTEM, type System } from './this-system.ts';

/** How a system names and lays out the C interface of PC/SC, and what to do when it has none. */
interface PcscPlatform {
  library: string;
  /** Ending of the functions whose arguments have text. */
  ending: '' | 'A';
  convention: '__cdecl' | '__stdcall';
  /** C types: DWORD, LONG, SCARDCONTEXT and SCARDHANDLE. */
  word: 'unsigned long' | 'uint32_t';
  result: 'long' | 'int32_t';
  handle: 'long' | 'int32_t' | 'uintptr_t';
  /** Longest answer to reset in SCARD_READERSTATE. */
  atrBytes: number;
  /** Whether structures have no padding. */
  isPacked: boolean;
  /** How to install the library. */
  install: string;
  /** How to start the service. */
  start: string;
}

const LINUX: PcscPlatform = {
  library: 'libpcsclite.so.1',
  ending: '',
  convention: '__cdecl',
  word: 'unsigned long',
  result: 'long',
  handle: 'long',
  atrBytes: 33,
  isPacked: false,
  install: "install it with 'sudo apt install pcscd' or the like",
  start:
    "start it with 'sudo systemctl start pcscd.socket'; over ssh a rule of polkit may refuse you, so try at the machine itself or as root",
};

const MACOS: PcscPlatform = {
  library: '/System/Library/Frameworks/PCSC.framework/PCSC',
  ending: '',
  convention: '__cdecl',
  word: 'uint32_t',
  result: 'int32_t',
  handle: 'int32_t',
  atrBytes: 33,
  isPacked: true,
  install: 'it is a part of macOS: update the system',
  start: 'plug the reader in again, which starts it',
};

const WINDOWS: PcscPlatform = {
  library: 'winscard.dll',
  ending: 'A',
  convention: '__stdcall',
  word: 'uint32_t',
  result: 'int32_t',
  handle: 'uintptr_t',
  atrBytes: 36,
  isPacked: false,
  install: 'it is a part of Windows: update the system',
  start: "plug the reader in, and start the service 'Smart Card' (SCardSvr)",
};

/**
 * Returns the C interface of PC/SC on a system.
 *
 * - Linux: pcsc-lite, whose DWORD and handles are as long as a pointer.
 * - macOS: PCSC.framework, with 32-bit types and packed structures.
 * - Windows: winscard.dll, with 32-bit types and handles as long as a pointer.
 */
export function pcscPlatform(system: System = THIS_SYSTEM): PcscPlatform {
  if (system === 'win32') return WINDOWS;
  return system === 'darwin' ? MACOS : LINUX;
}
