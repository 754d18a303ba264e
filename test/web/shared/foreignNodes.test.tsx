// @vitest-environment happy-dom
import { expect, it, onTestFinished } from 'vitest';
import { tolerateForeignNodes } from '../../../web/src/shared/foreignNodes.ts';
import { show } from '../../support/components/page.tsx';

/** As programs that translate a page do it: each text in an element of theirs. */
function translate(element: Element): void {
  for (const text of element.childNodes) {
    if (text.nodeType !== Node.TEXT_NODE) continue;
    const theirs = document.createElement('font');
    theirs.textContent = `[${text.textContent ?? ''}]`;
    element.replaceChild(theirs, text);
  }
}

function Line({ isHeld, state }: { isHeld: boolean; state: string }) {
  return (
    <p>
      {isHeld && <b>On hold</b>}
      {state === '' ? null : state}
      {isHeld && <i>since noon</i>}
    </p>
  );
}

it('goes on when a program has put nodes of its own in the place of the page’s texts', () => {
  const { removeChild, insertBefore } = Node.prototype;
  onTestFinished(() => void Object.assign(Node.prototype, { removeChild, insertBefore }));
  tolerateForeignNodes();
  const page = show(<Line isHeld={false} state="Connected" />);
  const line = page.container.querySelector('p')!;
  translate(line);
  page.change(<Line isHeld state="Connected" />);
  expect(line.querySelector('b')?.textContent).toBe('On hold');
  expect(line.querySelector('i')?.textContent).toBe('since noon');
  page.change(<Line isHeld={false} state="" />);
  expect(line.querySelector('b, i')).toBeNull();
  page.change(<Line isHeld state="Ringing" />);
  expect(line.textContent).toContain('Ringing');
});
