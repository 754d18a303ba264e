import { type ReactNode, StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { followBuild } from '../lib/gateway/followBuild.ts';
import { useSignIn } from '../lib/gateway/signIn.ts';
import { setCompanyLanguage } from '../lib/i18n/texts.ts';
import { tolerateForeignNodes } from './foreignNodes.ts';
import { contrastVariables, theme } from './theme.ts';

/** The nonce that the gateway has put into this page: only styles that bear it are applied. */
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// Mantine's dialogs keep the page behind them from scrolling by a library that asks under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** Shows a page in the look that all pages share. Its texts have been started: `startTexts`. */
export function mount(page: ReactNode): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('the page has no #root');
  followBuild();
  tolerateForeignNodes();
  createRoot(root).render(
    <StrictMode>
      <DirectionProvider>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={contrastVariables}
          defaultColorScheme="auto"
          getStyleNonce={() => nonce}
        >
          <CompanyLanguage />
          {page}
        </MantineProvider>
      </DirectionProvider>
    </StrictMode>,
  );
}

/** Whoever signs in brings the language of their company. */
function CompanyLanguage() {
  const language = useSignIn()?.agent.company_language;
  useEffect(() => {
    // A gateway of the version before tells none.
    if (language !== undefined) void setCompanyLanguage(language);
  }, [language]);
  return null;
}
