// Makes elkjs missing to the process that it is imported into first, as if it were not installed.
import Module from 'node:module';

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...rest) => {
  if (request.startsWith('elkjs')) throw new Error(`${request} is missing`);
  return resolve(request, ...rest);
};
