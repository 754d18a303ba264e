import { Anchor, Badge, Text } from '@mantine/core';
import { IconPhoneOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { ContactView } from '../../../../src/contract/contacts.ts';
import { PhoneNumber } from '../../shared/phoneNumbers/PhoneNumber.tsx';
import { usePhoneText } from '../../shared/phoneNumbers/phoneText.ts';
import classes from './ContactList.module.css';
import { type Called, contactTitle, primaryOf } from './contactText.ts';
import { DialButton } from './DialButton.tsx';

/** What a list tells of a contact. */
type ListedContact = Called & Pick<ContactView, 'id' | 'organisation' | 'owner' | 'tags' | 'do_not_call'>;

/** Contacts, one below the other; each leads to its page, and is dialed by its button. */
export function ContactList({ contacts }: { contacts: readonly ListedContact[] }) {
  return (
    <ul className={classes.list}>
      {contacts.map((contact) => (
        <ContactRow key={contact.id} contact={contact} />
      ))}
    </ul>
  );
}

/** So many are shown; the page of the contact has them all. */
const shownTags = 3;

function ContactRow({ contact }: { contact: ListedContact }) {
  const { t } = useTranslation();
  const phoneText = usePhoneText();
  const phone = primaryOf(contact.phones);
  const who = contactTitle(t, phoneText, contact);
  const about = [contact.organisation?.name, contact.owner?.name].filter((part) => part !== undefined);
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <Anchor component={Link} to={`/contacts/${contact.id}`} fw={600}>
          <bdi>{who}</bdi>
        </Anchor>
        <Text size="xs" c="dimmed" truncate>
          {about.join(' · ')}
        </Text>
      </div>
      <div className={classes.tags}>
        {contact.do_not_call && (
          <Badge color="red" variant="light" size="sm" tt="none" leftSection={<IconPhoneOff size={12} aria-hidden />}>
            {t('crmArea.contact.doNotCall')}
          </Badge>
        )}
        {contact.tags.slice(0, shownTags).map((tag) => (
          <Badge
            key={tag}
            component={Link}
            to={`/contacts?tag=${encodeURIComponent(tag)}`}
            color="gray"
            variant="light"
            size="sm"
            tt="none"
            style={{ cursor: 'pointer' }}
          >
            {tag}
          </Badge>
        ))}
      </div>
      <div className={classes.number}>{phone !== null && <PhoneNumber number={phone.phone_number} />}</div>
      {phone === null ? <span /> : <DialButton phone={phone.phone_number} contact={contact} />}
    </li>
  );
}
