// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import type { FormEvent } from 'react';
import { expect, it } from 'vitest';
import { useSmallForm } from '../../../web/src/shared/useSmallForm.ts';
import { useHook } from '../../support/components/hook.ts';

function form() {
  const seen: object[] = [];
  const submitted: object[] = [];
  const hook = useHook(
    () =>
      useSmallForm({
        initialValues: { code: '', notes: '' },
        validate: ({ code }) => (code === '' ? { code: 'Choose one.' } : {}),
        onValuesChange: (values) => seen.push(values),
      }),
    {},
  );
  const props = (name: 'code' | 'notes') => hook.result.current.getInputProps(name);
  const submit = () =>
    act(() => hook.result.current.onSubmit((values) => submitted.push(values))({ preventDefault() {} } as FormEvent));
  return { seen, submitted, props, submit };
}

it('binds inputs to their fields by event or by value, and tells of each change', () => {
  const { seen, props } = form();
  act(() => props('code').onChange('resolved'));
  act(() => props('notes').onChange({ currentTarget: { value: 'a quote' } } as never));
  expect([props('code').value, props('notes').value]).toEqual(['resolved', 'a quote']);
  expect(seen).toEqual([
    { code: 'resolved', notes: '' },
    { code: 'resolved', notes: 'a quote' },
  ]);
});

it('keeps two fields that change in the same moment', () => {
  const { seen, props } = form();
  act(() => {
    const [code, notes] = [props('code'), props('notes')];
    code.onChange('resolved');
    notes.onChange('a quote');
  });
  expect([props('code').value, props('notes').value]).toEqual(['resolved', 'a quote']);
  expect(seen.at(-1)).toEqual({ code: 'resolved', notes: 'a quote' });
});

it('submits nothing that is wrong, says so at the field, and until that field is changed', () => {
  const { submitted, props, submit } = form();
  submit();
  expect([submitted, props('code').error, props('notes').error]).toEqual([[], 'Choose one.', undefined]);
  act(() => props('notes').onChange('a quote'));
  expect(props('code').error).toBe('Choose one.');
  act(() => props('code').onChange('resolved'));
  expect(props('code').error).toBeUndefined();
  submit();
  expect(submitted).toEqual([{ code: 'resolved', notes: 'a quote' }]);
});
