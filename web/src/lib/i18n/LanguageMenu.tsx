import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconLanguage } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languages, type Language } from '../../../../src/contract/vocabulary.ts';
import { languageNames } from './languages.ts';
import { chooseOwnLanguage, ownLanguage } from './texts.ts';

/** Chooses the language of all pages of this browser, or leaves it to the browser. */
export function LanguageMenu() {
  const { t } = useTranslation();
  const [own, setOwn] = useState(ownLanguage);
  const mark = (isChosen: boolean) => (isChosen ? <IconCheck size={14} aria-hidden /> : <span style={{ width: 14 }} />);
  function choose(language: Language | null): void {
    setOwn(language);
    void chooseOwnLanguage(language);
  }

  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('shared.language.label')}
          title={t('shared.language.label')}
        >
          <IconLanguage size={18} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            aria-current={own === language ? 'true' : undefined}
            leftSection={mark(own === language)}
            onClick={() => choose(language)}
          >
            {languageNames[language]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          aria-current={own === null ? 'true' : undefined}
          leftSection={mark(own === null)}
          onClick={() => choose(null)}
        >
          {t('shared.language.browser')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
