import { Text, Timeline } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { CallCourseView } from '../../../../../src/contract/callCourse.ts';
import type { CallView } from '../../../../../src/contract/calls.ts';
import type { Translate } from '../../../lib/i18n/catalog.ts';
import { PhoneNumber } from '../../../shared/phoneNumbers/PhoneNumber.tsx';
import { clockText } from '../../../shared/time.ts';
import { Loaded } from '../components/Loaded.tsx';
import { Moment } from '../components/Moment.tsx';
import { stepsQuery } from './callQueries.ts';

/** What happened in a call, who did it, and how long each step lasted. */
export function CallCourse({ call }: { call: CallView }) {
  const { t } = useTranslation();
  const query = useQuery(stepsQuery(call.id));
  return (
    <Loaded query={query}>
      {(steps) => (
        <Timeline bulletSize={12} lineWidth={2} active={steps.length}>
          {steps.map((step, place) => (
            <Timeline.Item
              key={`${String(place)} ${step.step}`}
              title={<Text size="sm">{titleOf(t, step, call)}</Text>}
            >
              <Text size="xs" c="dimmed">
                <Moment at={step.at} />
                {step.seconds !== null &&
                  step.step !== 'ended' &&
                  step.step !== 'transferred' &&
                  ` · ${t('calls.step.lasted', { length: clockText(step.seconds * 1_000) })}`}
                {step.by !== null && (
                  <>
                    {' · '}
                    {step.person === null ? t(`calls.by.${step.by}`) : <bdi>{step.person.name}</bdi>}
                  </>
                )}
              </Text>
            </Timeline.Item>
          ))}
        </Timeline>
      )}
    </Loaded>
  );
}

function titleOf(t: Translate, { step }: CallCourseView, { transferred_to: to }: CallView) {
  if (step !== 'transferred' || to === null) return t(`calls.step.${step}`);
  return (
    <>
      {t('calls.one.transferredTo')} {to.startsWith('+') ? <PhoneNumber number={to} /> : <bdi>{to}</bdi>}
    </>
  );
}
