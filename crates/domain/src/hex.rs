//! Bytes as hex digits, as hashes, keys and sealed texts are written.

/// Two small letters a byte.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| DIGITS.get(usize::from(digit)).copied())
        .map(char::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::hex;

    #[test]
    fn every_byte_has_two_digits() {
        assert_eq!(hex(&[0, 1, 0x0f, 0x10, 0xa5, 0xff]), "00010f10a5ff");
        assert_eq!(hex(&[]), "");
    }
}
