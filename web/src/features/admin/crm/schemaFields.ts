/** One field of a provider's credentials or options, as its JSON Schema in the catalog tells it. */
export type SchemaField = {
  name: string;
  title: string;
  description: string | null;
  /** Typed once, and never shown again. */
  isSecret: boolean;
  isRequired: boolean;
  /** Null: any text. */
  choices: readonly string[] | null;
  /** What it holds before anybody has typed. */
  initial: string;
  /** Needs several lines. */
  isLong: boolean;
};

/** A JSON Schema, as far as the catalog uses it. */
export type FieldsSchema = {
  anyOf?: readonly FieldsSchema[];
  properties?: Readonly<
    Record<
      string,
      { title?: string; description?: string; secret?: boolean; enum?: readonly string[]; default?: string }
    >
  >;
  required?: readonly string[];
};

/** The fields to fill in. Several sets: one of them is enough. */
export function fieldSets(schema: FieldsSchema): SchemaField[][] {
  return schema.anyOf === undefined ? [fieldsOf(schema)] : schema.anyOf.map(fieldsOf);
}

/** Longer defaults are texts of several lines. */
const longFrom = 100;

function fieldsOf({ properties = {}, required = [] }: FieldsSchema): SchemaField[] {
  return Object.entries(properties).map(
    ([name, { title, description, secret, enum: choices, default: initial = '' }]) => ({
      name,
      title: title ?? name,
      description: description ?? null,
      isSecret: secret === true,
      // What has a default is never missing.
      isRequired: required.includes(name) && initial === '',
      choices: choices ?? null,
      initial,
      isLong: initial.length >= longFrom,
    }),
  );
}

/**
 * What a person types.
 * @param hasLogIn the gateway gets the optional secrets by itself, when an admin has logged in at the provider
 */
export function typedFields(set: readonly SchemaField[], hasLogIn: boolean): SchemaField[] {
  return set.filter(({ isRequired, isSecret }) => !hasLogIn || isRequired || !isSecret);
}

/** Whether filling in that set is followed by a log-in at the provider. */
export function isLogInSet(
  sets: readonly (readonly SchemaField[])[],
  set: readonly SchemaField[],
  canLogIn: boolean,
): boolean {
  return canLogIn && sets.length > 1 && set.some(({ name }) => name === 'client_id');
}

/** What the fields of several sets hold at first, by name. */
export function initialValues(sets: readonly (readonly SchemaField[])[]): Record<string, string> {
  return Object.fromEntries(sets.flat().map(({ name, initial }) => [name, initial]));
}

/** What is sent of a set: without the optional fields that are empty. */
export function filledIn(
  set: readonly SchemaField[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    set.map(({ name }) => [name, (values[name] ?? '').trim()]).filter(([, value]) => value !== ''),
  );
}

/** The titles that tell a set from the others: of its fields that are not in all of them. */
export function tellingTitles(sets: readonly (readonly SchemaField[])[], set: readonly SchemaField[]): string[] {
  const own = set.filter(({ name }) => !sets.every((other) => other.some((field) => field.name === name)));
  return (own.length > 0 ? own : set).map(({ title }) => title);
}
