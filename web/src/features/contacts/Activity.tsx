import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ContactActivityView } from '../../../../src/contract/contactActivities.ts';
import { useFormat } from '../../lib/i18n/format.ts';
import { activityKinds, otherKind } from './activityKinds.tsx';
import { EditList } from './EditList.tsx';
import classes from './Timeline.module.css';

/** One entry of a timeline: what happened, when, by whom, and what was said. */
export function Activity({ entry }: { entry: ContactActivityView }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { icon: Icon, title, Body } = activityKinds[entry.kind] ?? otherKind;
  return (
    <li className={classes.entry}>
      <Icon size={16} stroke={1.75} aria-hidden />
      <div>
        <Text size="sm" fw={600}>
          {title(t, entry)}
        </Text>
        <Text size="xs" c="dimmed">
          {[format.moment(entry.at), entry.by?.name ?? t('crmArea.timeline.system')].join(' · ')}
        </Text>
        {Body === undefined ? (
          <>
            {entry.text !== null && <div className={classes.text}>{entry.text}</div>}
            <EditList edits={entry.edits} />
          </>
        ) : (
          <Body entry={entry} />
        )}
      </div>
    </li>
  );
}
