//! Who a client is: what is counted and limited, is so for each of them.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

/// The bits of an IPv6 address that tell one client from another: the rest is the client's own to choose.
const IPV6_CLIENT_BITS: u32 = 64;

/// An address, or a network of IPv6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Client(IpAddr);

impl From<SocketAddr> for Client {
    fn from(address: SocketAddr) -> Client {
        Client(match address.ip().to_canonical() {
            IpAddr::V6(address) => {
                Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << (128 - IPV6_CLIENT_BITS))).into()
            }
            address => address,
        })
    }
}

/// How many things of one kind each client has going on. All clones count together.
#[derive(Clone)]
pub(crate) struct PerClient {
    most: usize,
    begun: Arc<Mutex<HashMap<Client, usize>>>,
}

impl PerClient {
    /// So many at most for each.
    pub(crate) fn new(most: usize) -> PerClient {
        PerClient { most, begun: Arc::default() }
    }

    /// One more, for as long as what is returned lives, unless the client has as many as it may have.
    pub(crate) fn begin(&self, client: Client) -> Option<Begun> {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let count = begun.entry(client).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Begun { client, all: self.clone() })
    }
}

/// One of the things that a client has going on.
pub(crate) struct Begun {
    client: Client,
    all: PerClient,
}

impl Drop for Begun {
    fn drop(&mut self) {
        let mut begun = self.all.begun.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = begun.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                begun.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: &str) -> Client {
        SocketAddr::new(address.parse().unwrap(), 1).into()
    }

    #[test]
    fn a_client_of_ipv6_is_a_network() {
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2:ffff::"));
        assert_ne!(of("2001:db8:1:2::"), of("2001:db8:1:3::"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }

    #[test]
    fn each_client_has_its_own_places() {
        let places = PerClient::new(2);
        let (one, other) = (of("192.0.2.1"), of("192.0.2.2"));
        let first = places.begin(one);
        let second = places.begin(one);
        assert!(first.is_some() && second.is_some() && places.begin(one).is_none() && places.begin(other).is_some());
        drop(first);
        assert!(places.begin(one).is_some());
        drop(second);
        assert!(places.begun.lock().unwrap().is_empty());
    }
}
