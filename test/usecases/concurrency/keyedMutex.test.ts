import { describe, expect, it } from 'vitest';
import { createKeyedMutex } from '../../../src/usecases/concurrency/keyedMutex.ts';
import { gate } from '../../support/time/gate.ts';

describe('a mutex by key', () => {
  it('runs the works of one key one after the other, and does not make another key wait', async () => {
    const mutex = createKeyedMutex();
    const held = gate();
    held.shut();
    const order: string[] = [];
    const note = (name: string) => async () => void order.push(name);
    const first = mutex.run('a', () => held.pass(note('a1')));
    const second = mutex.run('a', note('a2'));
    await mutex.run('b', note('b1'));
    expect(order).toEqual(['b1']);
    held.open();
    await Promise.all([first, second]);
    expect(order).toEqual(['b1', 'a1', 'a2']);
  });

  it('goes on after a work that failed, whose failure only its owner hears of', async () => {
    const mutex = createKeyedMutex();
    const failing = mutex.run('a', () => Promise.reject(new Error('wrong password')));
    const next = mutex.run('a', () => Promise.resolve('checked'));
    await expect(failing).rejects.toThrow('wrong password');
    expect(await next).toBe('checked');
  });
});
