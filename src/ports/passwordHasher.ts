/** Slow by design: each call costs tens of milliseconds of one thread, and calls wait for each other. */
export type PasswordHasher = {
  /** A text that holds the parameters, the salt and the hash; another one at every call. */
  hash(password: string): Promise<string>;
  /** Whether the password made the hash. Throws when the hash is not one. */
  verify(hash: string, password: string): Promise<boolean>;
  /** Takes as long as `verify` and answers false: for log-ins that name nobody, so that time does not tell. */
  verifyAgainstNobody(password: string): Promise<false>;
};
