import { useState } from 'react';
import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { deliveryQuery } from './deliveryQueries.ts';
import { Loaded } from '../components/Loaded.tsx';
import { DeliveryDetails } from './DeliveryDetails.tsx';

type Props = {
  /** Null: closed. */
  id: string | null;
  onClose: () => void;
};

/** One delivery beside the list. */
export function DeliveryDrawer({ id, onClose }: Props) {
  // What was open stays to be seen while the drawer slides out.
  const [shown, setShown] = useState(id);
  if (id !== null && id !== shown) setShown(id);
  return (
    <Drawer opened={id !== null} onClose={onClose} position="right" size={640} title="Delivery">
      {shown !== null && <OneDelivery key={shown} id={shown} />}
    </Drawer>
  );
}

function OneDelivery({ id }: { id: string }) {
  const delivery = useQuery(deliveryQuery(id));
  return <Loaded query={delivery}>{(data) => <DeliveryDetails delivery={data} reload={delivery} />}</Loaded>;
}
