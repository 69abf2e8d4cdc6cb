//! Kinds of places people look for, and how OpenStreetMap tags them. The words for them are in `locales/*/lexicon.toml`
//! under the same names; the manifest of `find_places` lists them. Used by `photon`; tests compare the three lists.

/// A kind of place.
#[derive(Debug)]
pub struct Kind {
    /// Its name, as plans write it.
    pub name: &'static str,
    /// Tags that mean it, `key:value`.
    pub tags: &'static [&'static str],
}

/// Every kind. New ones are appended.
pub const KINDS: &[Kind] = &[
    kind("pharmacy", &["amenity:pharmacy"]),
    kind("hospital", &["amenity:hospital"]),
    kind("doctor", &["amenity:doctors", "amenity:clinic"]),
    kind("dentist", &["amenity:dentist"]),
    kind("veterinary", &["amenity:veterinary"]),
    kind("supermarket", &["shop:supermarket"]),
    kind("grocery", &["shop:convenience", "shop:supermarket", "shop:greengrocer"]),
    kind("bakery", &["shop:bakery"]),
    kind("butcher", &["shop:butcher"]),
    kind("restaurant", &["amenity:restaurant"]),
    kind("fast_food", &["amenity:fast_food"]),
    kind("cafe", &["amenity:cafe"]),
    kind("bar", &["amenity:bar", "amenity:cafe", "amenity:pub"]),
    kind("pub", &["amenity:pub"]),
    kind("ice_cream", &["amenity:ice_cream", "shop:ice_cream"]),
    kind("fuel", &["amenity:fuel"]),
    kind("charging_station", &["amenity:charging_station"]),
    kind("parking", &["amenity:parking"]),
    kind("bank", &["amenity:bank"]),
    kind("atm", &["amenity:atm"]),
    kind("post_office", &["amenity:post_office"]),
    kind("police", &["amenity:police"]),
    kind("library", &["amenity:library"]),
    kind("school", &["amenity:school"]),
    kind("hotel", &["tourism:hotel", "tourism:guest_house"]),
    kind("museum", &["tourism:museum"]),
    kind("cinema", &["amenity:cinema"]),
    kind("theatre", &["amenity:theatre"]),
    kind("park", &["leisure:park"]),
    kind("playground", &["leisure:playground"]),
    kind("gym", &["leisure:fitness_centre"]),
    kind("swimming_pool", &["leisure:swimming_pool", "leisure:sports_centre"]),
    kind("hairdresser", &["shop:hairdresser"]),
    kind("florist", &["shop:florist"]),
    kind("hardware_store", &["shop:hardware", "shop:doityourself"]),
    kind("bookshop", &["shop:books"]),
    kind("tobacconist", &["shop:tobacco"]),
    kind("newsagent", &["shop:newsagent", "shop:kiosk"]),
    kind("optician", &["shop:optician"]),
    kind("laundry", &["shop:laundry", "shop:dry_cleaning"]),
    kind("shop", &["shop"]),
    kind("railway_station", &["railway:station", "railway:halt"]),
    kind("subway_station", &["railway:station", "railway:subway_entrance"]),
    kind("bus_stop", &["highway:bus_stop", "amenity:bus_station"]),
    kind("airport", &["aeroway:aerodrome"]),
    kind("taxi", &["amenity:taxi"]),
    kind("toilets", &["amenity:toilets"]),
    kind("church", &["amenity:place_of_worship"]),
    kind("beach", &["natural:beach"]),
    kind("market", &["amenity:marketplace"]),
];

const fn kind(name: &'static str, tags: &'static [&'static str]) -> Kind {
    Kind { name, tags }
}

/// The kind of this name.
pub fn named(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}
