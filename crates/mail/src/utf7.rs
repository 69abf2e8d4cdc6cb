//! Names of folders as they travel: the variant of UTF-7 of RFC 3501, 5.1.3. What is not of that form is taken as it
//! stands, as servers send UTF-8, too.

const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";

/// As people read it.
pub(crate) fn decode(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let Some(end) = after.find('-') else {
            text.push_str(&rest[at..]);
            return text;
        };
        match (&after[..end], shifted(&after[..end])) {
            ("", _) => text.push('&'),
            (_, Some(decoded)) => text.push_str(&decoded),
            (_, None) => text.push_str(&rest[at..at + end + 2]),
        }
        rest = &after[end + 1..];
    }
    text.push_str(rest);
    text
}

/// As servers know it.
pub(crate) fn encode(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    let mut shifted: Vec<u16> = Vec::new();
    let flush = |shifted: &mut Vec<u16>, text: &mut String| {
        if !shifted.is_empty() {
            text.push('&');
            text.push_str(&to_base64(shifted));
            text.push('-');
            shifted.clear();
        }
    };
    for sign in name.chars() {
        if matches!(sign, ' '..='~') {
            flush(&mut shifted, &mut text);
            text.push(sign);
            if sign == '&' {
                text.push('-');
            }
        } else {
            shifted.extend(sign.encode_utf16(&mut [0; 2]).iter());
        }
    }
    flush(&mut shifted, &mut text);
    text
}

fn shifted(text: &str) -> Option<String> {
    let mut bits: u32 = 0;
    let mut count = 0;
    let mut bytes = Vec::new();
    for sign in text.bytes() {
        let value = SIGNS.iter().position(|known| *known == sign)?;
        bits = bits << 6 | u32::try_from(value).ok()?;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
        bits &= (1 << count) - 1;
    }
    let units = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
    char::decode_utf16(units).collect::<Result<String, _>>().ok()
}

fn to_base64(units: &[u16]) -> String {
    let bytes: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let wide = chunk.iter().fold(0_u32, |wide, byte| wide << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..=chunk.len() {
            let value = (wide >> (18 - 6 * place) & 0x3f) as usize;
            text.extend(SIGNS.get(value).map(|sign| char::from(*sign)));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_folders_travel_and_come_back() {
        for (shown, travels) in [
            ("Posta inviata", "Posta inviata"),
            ("Entw\u{fc}rfe", "Entw&APw-rfe"),
            ("a & b", "a &- b"),
            ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"),
            ("Novità 😀", "Novit&AOA- &2D3eAA-"),
        ] {
            assert_eq!(encode(shown), travels);
            assert_eq!(decode(travels), shown);
        }
    }

    #[test]
    fn what_is_of_no_form_stays_as_it_is() {
        for name in ["a&b", "&&&-", "&!!-", "Novità"] {
            drop(decode(name));
        }
        assert_eq!(decode("R&D"), "R&D");
        assert_eq!(decode("&!!-x"), "&!!-x");
    }
}
