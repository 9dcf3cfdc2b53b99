import { copyFile, mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Copies a file into a new folder, and syncs the file, its folder and the name of the folder. */
export async function copyFileDurably(file: string, folder: string): Promise<void> {
  const made = `${folder}.new`;
  await mkdir(made);
  const copy = join(made, 'copy');
  await copyFile(file, copy);
  for (const path of [copy, made]) await sync(path);
  await rename(made, folder);
  await sync(dirname(folder));
}

async function sync(path: string): Promise<void> {
  const opened = await open(path, 'r');
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}
