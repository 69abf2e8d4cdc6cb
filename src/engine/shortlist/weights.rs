//! How much each sign counts when executors are ranked for a request. Read by `shortlist`; the figures were fitted on
//! requests of one household with others held back, and mean nothing alone.

/// What each sign is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// A word of the request is in an affinity.
    pub(super) affinity: f32,
    /// A word of the request is in the description.
    pub(super) description: f32,
    /// A word that only holds the sentence together: this share of the two above.
    pub(super) glue: f32,
    /// Later words count less, by this much per word.
    pub(super) word_decay: f32,
    /// The object is in the name.
    pub(super) object: f32,
    /// The verb is in the name.
    pub(super) verb: f32,
    /// Both are, said together.
    pub(super) pair: f32,
    /// The object fits, and verb and name both only look.
    pub(super) kin: f32,
    /// The object fits and no verb was said: looking comes first.
    pub(super) no_verb: f32,
    /// It looks, but only at what something else brings in: this share of the two above.
    pub(super) processor: f32,
    /// It would bring in what the verb acts on.
    pub(super) precursor: f32,
    /// Objects further from their verb count less.
    pub(super) object_decay: f32,
    /// Later clauses count less.
    pub(super) clause_decay: f32,
    /// A value of the request is of its object.
    pub(super) fact: f32,
    /// An affinity speaks of the object, in whatever language.
    pub(super) touched: f32,
    /// The form in the name is said.
    pub(super) qualifier: f32,
    /// The form in the name is not said.
    pub(super) qualifier_unsaid: f32,
    /// It belongs to a provider nobody named: this share remains.
    pub(super) provider_unsaid: f32,
    /// It changes something and nobody asked for a change: this share remains.
    pub(super) unasked_change: f32,
}

/// The weights in use.
pub(super) const WEIGHTS: Weights = Weights {
    affinity: 1.2,
    description: 0.2,
    glue: 0.1,
    word_decay: 0.9,
    object: 0.7,
    verb: 0.65,
    pair: 1.6,
    kin: 1.25,
    no_verb: 1.4,
    processor: 0.25,
    precursor: 0.5,
    object_decay: 0.6,
    clause_decay: 0.95,
    fact: 0.9,
    touched: 0.6,
    qualifier: 1.6,
    qualifier_unsaid: 0.4,
    provider_unsaid: 0.3,
    unasked_change: 0.5,
};
