/** A name of a test or a picture as a file's name: lower case, words joined by hyphens. */
export function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '').slice(0, 80);
}
