import type { DealView } from '../../../../src/contract/deals.ts';
import type { PipelineView } from '../../../../src/contract/pipelines.ts';
import { differences } from '../../shared/form/diff.ts';
import { amountOf, typedAmount } from './amounts.ts';

type Named = { id: string; name: string };

/** What is typed about a deal; empty: nothing is there. */
export type DealValues = {
  name: string;
  stage_id: string;
  value: string;
  currency: string;
  owner_id: string;
  /** `2026-12-18` */
  expected_close: string;
  contact: { id: string; name: string | null } | null;
  organisation: Named | null;
};

/** A form that nothing has been typed into. */
export function emptyDeal(given: Partial<DealValues>): DealValues {
  return {
    name: '',
    stage_id: '',
    value: '',
    currency: '',
    owner_id: '',
    expected_close: '',
    contact: null,
    organisation: null,
    ...given,
  };
}

/** A deal as its form shows it. @param decimal the decimal sign of the language */
export function valuesOf(deal: DealView, decimal: string): DealValues {
  return {
    name: deal.name,
    stage_id: deal.stage.id,
    value: deal.value === null ? '' : typedAmount(deal.value, decimal),
    currency: deal.currency ?? '',
    owner_id: deal.owner?.id ?? '',
    expected_close: deal.expected_close ?? '',
    contact: deal.contact,
    organisation: deal.organisation,
  };
}

/** The same as the gateway takes it. */
export function bodyOf(values: DealValues, decimal: string) {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  const value = orNull(amountOf(values.value, decimal));
  return {
    name: values.name.trim(),
    stage_id: values.stage_id,
    value,
    // Beside no value, a currency says nothing.
    currency: value === null ? null : orNull(values.currency),
    owner_id: orNull(values.owner_id),
    expected_close: orNull(values.expected_close),
    contact_id: values.contact?.id ?? null,
    organisation_id: values.organisation?.id ?? null,
  };
}

/** What a form holds that differs from what it began with, as the gateway takes it. */
export function changesOf(values: DealValues, base: DealValues, decimal: string): Partial<ReturnType<typeof bodyOf>> {
  return differences(bodyOf(values, decimal), bodyOf(base, decimal));
}

/** Where the gateway says something of `contact_id`, the form has `contact`. */
export function formPath(path: string): string {
  return path.replace(/^(contact|organisation)_id$/, '$1');
}

/** The stages to choose from; of several pipelines, by pipeline. */
export function stageOptions(pipelines: readonly PipelineView[]) {
  const groups = pipelines.map(({ name, stages }) => ({
    group: name,
    items: stages.map((stage) => ({ value: stage.id, label: stage.name })),
  }));
  return groups.length === 1 ? (groups[0]?.items ?? []) : groups;
}
