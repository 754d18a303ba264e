/** The database and the migrations of this version do not fit together. The message says which one and why. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}
