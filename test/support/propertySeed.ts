import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** See vitest.config.ts. */
    propertySeed: number;
  }
}

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('propertySeed') });
