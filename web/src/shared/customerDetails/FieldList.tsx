import { Button, Title } from '@mantine/core';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useWriter, ValueText } from '../values/ValueText.tsx';
import { writeValue } from '../values/writeValue.ts';
import type { ArrangedField } from './arrangeFields.ts';
import { textOf } from './customerFields.ts';
import classes from './CustomerDetails.module.css';

/** So many are shown at first; a record may hold thousands. */
const shownAtFirst = 40;
/** Longer values scroll in themselves. */
const longText = 300;

/** Names and values, every one readable; nothing without fields. @param isLarge they are what matters most */
export function FieldList({
  fields,
  title,
  isLarge = false,
}: {
  fields: readonly ArrangedField[];
  title?: string;
  isLarge?: boolean;
}) {
  const { t } = useTranslation();
  const [showsAll, setShowsAll] = useState(false);
  if (fields.length === 0) return null;
  const shown = showsAll ? fields : fields.slice(0, shownAtFirst);
  return (
    <>
      {title !== undefined && (
        <Title order={3} size="sm" mt="sm">
          {title}
        </Title>
      )}
      <dl className={isLarge ? classes.pinned : classes.list} data-testid={isLarge ? 'pinned-fields' : undefined}>
        {shown.map((field, index) => {
          const key = `${String(index)} ${field.key}`;
          return isLarge ? (
            <div key={key}>
              <Field field={field} />
            </div>
          ) : (
            <Field key={key} field={field} />
          );
        })}
      </dl>
      {shown.length < fields.length && (
        <Button size="compact-xs" variant="subtle" mt="xs" onClick={() => setShowsAll(true)}>
          {t('softphone.customer.showMore', { count: fields.length - shown.length })}
        </Button>
      )}
    </>
  );
}

function Field({ field }: { field: ArrangedField }) {
  return (
    <>
      <dt title={field.key}>{field.label}</dt>
      <dd>
        <Values field={field} />
      </dd>
    </>
  );
}

function Values({ field: { values, how, label } }: { field: ArrangedField }) {
  const writer = useWriter();
  const text = textOf(values);
  if (text.length > longText || text.split('\n').length > 6) {
    // It scrolls by the keyboard too.
    return (
      <textarea
        readOnly
        rows={6}
        className={classes.long}
        aria-label={label}
        value={values.map((value) => writeValue(writer, value, how).text).join('\n')}
      />
    );
  }
  return values.map((value, index) => (
    <Fragment key={String(index)}>
      {index > 0 && '\n'}
      <ValueText value={writeValue(writer, value, how)} came={value.text} />
    </Fragment>
  ));
}
