import { Anchor, Button, Title } from '@mantine/core';
import { Fragment, useState } from 'react';
import classes from './CustomerCard.module.css';
import type { CustomerField } from './customerFields.ts';

/** So many are shown at first; a record may hold thousands. */
const shownAtFirst = 40;
/** Longer values scroll in themselves. */
const longText = 300;

/** Names and values, every one readable; nothing without fields. */
export function FieldList({ fields, title }: { fields: readonly CustomerField[]; title?: string }) {
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
      <dl className={classes.list}>
        {shown.map((field, index) => (
          <Fragment key={`${String(index)} ${field.key}`}>
            <dt title={field.key}>{field.label}</dt>
            <dd>
              <Value field={field} />
            </dd>
          </Fragment>
        ))}
      </dl>
      {shown.length < fields.length && (
        <Button size="compact-xs" variant="subtle" mt="xs" onClick={() => setShowsAll(true)}>
          Show {fields.length - shown.length} more
        </Button>
      )}
    </>
  );
}

function Value({ field: { text, href, label } }: { field: CustomerField }) {
  if (href !== null) {
    return (
      <Anchor inherit href={href} target="_blank" rel="noopener noreferrer">
        {text}
      </Anchor>
    );
  }
  if (text.length <= longText && text.split('\n').length <= 6) return text;
  // It scrolls by the keyboard too.
  return <textarea readOnly rows={6} className={classes.long} aria-label={label} value={text} />;
}
