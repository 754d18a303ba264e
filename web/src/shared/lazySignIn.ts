import { lazyPart } from '../lib/i18n/lazyPart.tsx';

/** Whoever opens the softphone has signed in most often. */
export const SignInForm = lazyPart(async () => (await import('./SignInForm.tsx')).SignInForm);
